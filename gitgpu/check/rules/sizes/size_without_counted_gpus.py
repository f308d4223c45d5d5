"""A GPU pod must be able to start a node of the pool's size."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: gb300}
spec:
  clusters: [prod-swc]
  sku: Standard_ND128isr_GB300_v6
  limits: {nodes: 2}
"""
GOOD = BAD.replace("Standard_ND128isr_GB300_v6", "Standard_ND96isr_H200_v5").replace("gb300", "h200")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Sizes whose GPUs Karpenter counts as none; of several by requirement, only when that is true of all."""
    for pool in inputs.nodepools:
        for where, names in wrong_sizes(pool, inputs.catalog, _uncounted, every=True):
            message = f"Karpenter counts no GPU on {names}, so a pod that asks for one never starts such a node"
            remedy = "start the nodes by other means, such as a pod that asks for CPUs, or take another size"
            yield Finding(pool.origin, where, message, remedy)


def _uncounted(sku: Sku) -> bool:
    return sku.api_gpus == 0


RULE = Rule(
    code="SKU011",
    name="size-without-counted-gpus",
    severity=Severity.WARNING,
    summary="Karpenter counts no GPU on the size, so no GPU pod starts a node of it.",
    help="Karpenter takes the number of GPUs from Azure's list of sizes, and that list gives none for some sizes. The "
    "node has its GPUs once it runs; but limits on GPUs bound nothing, and a pending GPU pod starts no node.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
