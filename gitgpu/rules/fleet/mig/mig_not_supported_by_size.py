"""MIG needs GPUs that support it, on sizes that expose it to the VM."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG, mig_pools
from gitgpu.rules.inputs.requested_sizes import exclusion_text, wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MIG on sizes that are not known to support it."""
    for pool, _, _ in mig_pools(inputs):
        for where, sizes in wrong_sizes(pool, inputs.catalog, lambda sku: sku.mig is not True):
            remedy = "use sizes that support MIG (see `gitgpu sku list`), or use timeSlicing"
            if any(sku.mig for sku in pool.skus):
                remedy = exclusion_text(pool, "set gpu.mig: true under requirements; or ", "") + remedy
            yield Finding(
                pool.origin, where, f"{with_place('MIG', pool.origin, MIG)} is not available on {sizes}", remedy
            )


RULE = Rule(
    code="PRT001",
    name="mig-not-supported-by-size",
    twin="SHR009",
    severity=Severity.ERROR,
    summary="A pool uses MIG on sizes that do not support it.",
    help="MIG exists on the A100 and later data centre GPUs, but not on every Azure size with such a GPU: on some, "
    "the host does not expose it. On other nodes the MIG manager never runs, and the device plugin waits for it "
    "indefinitely.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
    ),
    facts=("skus",),
    check=_check,
)
