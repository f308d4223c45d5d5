"""Different CPU architectures in one GPU NodePool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.differences import differences
from gitgpu.model.size.node_labels import NAMES
from gitgpu.objects.node.candidate_sizes import by_name, candidates, is_decided, place
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        skus = candidates(pool, objects) if by_name(pool) and is_decided(pool, objects) else ()
        differing = differences(skus, lambda sku: sku.arch)
        if differing:
            message = f"the sizes have different CPU architectures: {differing}"
            remedy = "use a separate NodePool for each, or build every image for both"
            yield Finding(pool.item, place(pool, *NAMES), message, remedy)


RULE = Rule(
    code="NPS018",
    name="mixed-architectures",
    twin="SKU010",
    severity=Severity.WARNING,
    summary="A NodePool lists sizes with different CPU architectures.",
    help="Sizes with Grace CPUs are arm64. An image that is built only for amd64 fails on them with an exec format "
    "error, and which node a pod gets depends on current prices.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nd-gb200-v6-series",
    ),
    check=_check,
)
