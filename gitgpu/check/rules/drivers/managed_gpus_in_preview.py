"""AKS managed GPU nodes are a preview."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs, driver_on

MANAGED = "managed"
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  driver: managed
"""
GOOD = BAD.replace("driver: managed", "driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose GPUs AKS manages, the first of the fleet."""
    for pool, clusters in pools_with_clusters(inputs):
        found = [] if pool.windows else [one for one in clusters if driver_on(one, pool) == MANAGED]
        if found:
            own = pool.origin, ("spec", "driver")
            message = "managed GPU nodes are a preview of AKS, without a service level"
            remedy = "register ManagedGPUExperiencePreview, as the runbook shows, and allow DRV070 with your reason"
            yield Finding(*(own if pool.driver else stack_place(inputs, found[0], "driver")), message, remedy)
            return


RULE = Rule(
    code="DRV070",
    name="managed-gpus-in-preview",
    severity=Severity.WARNING,
    summary="The fleet has pools with driver: managed.",
    help="AKS offers managed GPU nodes as a preview that a subscription has to register for, and that may change or "
    "end. Who is to install what is fixed when a pool is made: to leave the preview, make another pool.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
