"""A MIG layout for GPUs without MIG."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import chosen_layout
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in gpu_pools(objects):
        layout = chosen_layout(pool)
        # Karpenter may choose a size with MIG, and null is unknown.
        if layout and pool.skus and all(sku.mig is False for sku in pool.skus):
            gpus = ", ".join(sorted({sku.gpu.model for sku in pool.skus if sku.gpu}))
            message = f"the MIG layout {layout} has no effect: MIG is not available on the {gpus} of this NodePool"
            yield Finding(
                pool.pool.item,
                (*LABELS, MIG_CONFIG_LABEL),
                message,
                f"remove the label {MIG_CONFIG_LABEL}, or choose a size with MIG",
            )


RULE = Rule(
    code="SHR009",
    name="mig-not-supported-by-size",
    twin="PRT001",
    severity=Severity.WARNING,
    summary="A NodePool selects a MIG layout on sizes whose GPUs do not support MIG.",
    help="A100 and later data centre GPUs support MIG. On any other GPU the MIG manager does not run, and no MIG "
    "resource appears.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html",
    ),
    check=_check,
)
