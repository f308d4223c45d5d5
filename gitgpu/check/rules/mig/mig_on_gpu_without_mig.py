"""MIG cuts only GPUs that have it, on sizes that leave it to their users."""

from collections.abc import Iterator

from gitgpu.check.mig import MIG, cut_pools
from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {1g.10gb: 7}}}
"""
GOOD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {timeSlicing: {replicas: 7}}
"""


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MIG and sizes that are not known to have it."""
    for pool, _, _ in cut_pools(inputs):
        for where, sizes in wrong_sizes(pool, inputs.catalog, lambda sku: sku.mig is not True):
            remedy = "take sizes that have it (`gitgpu sku list` says which), or timeSlicing in its place"
            remedy = remedy if pool.sizes else f"write gpu.mig: true under requirements; or {remedy}"
            yield Finding(
                pool.origin, where, f"{with_place('MIG', pool.origin, MIG)} is not to be had on {sizes}", remedy
            )


RULE = Rule(
    code="PRT001",
    name="mig-on-gpu-without-mig",
    severity=Severity.ERROR,
    summary="A pool cuts GPUs by MIG on sizes that do not have it.",
    help="MIG exists on A100 and the data-centre GPUs after it, and not on every Azure size with one: on some the host "
    "keeps it to itself. Elsewhere the MIG manager never runs, so that nothing would let the device plugin start.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
