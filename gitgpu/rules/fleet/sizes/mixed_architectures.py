"""A pool should not mix CPU architectures."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.differences import differences
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import exclusion_text, sizes_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        differing = differences(pool.skus, lambda sku: sku.arch)
        if differing:
            message = f"the sizes of the pool have different CPU architectures: {differing}"
            remedy = "use a separate pool for each" + exclusion_text(
                pool, ": set requirements.arch: amd64", ": require kubernetes.io/arch In [amd64] in nodeRequirements"
            )
            yield Finding(pool.origin, sizes_place(pool), message, f"{remedy}, or build every image for both")


RULE = Rule(
    code="SKU010",
    name="mixed-architectures",
    twin="NPS018",
    severity=Severity.WARNING,
    summary="The sizes of a pool have different CPU architectures.",
    help="Sizes with Grace CPUs are arm64. An image that is built for amd64 only fails on them with an exec format "
    "error, and which node a pod gets depends on current prices.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    check=_check,
)
