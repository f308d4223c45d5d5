"""Requirements of a GPU pool should match only sizes with GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.exact_requirements import joined_requirements
from gitgpu.model.size.gpu_requirements import listed_names, only_gpu_sizes
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import NODE_REQUIREMENTS

GPUS = "{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [T4]}"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with their own requirements that sizes without GPUs also meet."""
    for pool in inputs.nodepools:
        if not pool.exact:
            continue
        # Karpenter treats the labels of a NodePool as requirements.
        labels = [{"key": key, "operator": "In", "values": [value]} for key, value in pool.labels.items()]
        requirements = joined_requirements((*pool.node_requirements, *labels))
        names = listed_names(requirements)
        named = names is not None and all(map(inputs.catalog.sku, names.values))  # it has only sizes with GPUs
        if not named and not only_gpu_sizes(requirements, inputs.catalog):
            message = "sizes without GPUs meet these requirements too, and the GPU software would run on their nodes"
            yield Finding(pool.origin, NODE_REQUIREMENTS, message, f"add a requirement on GPUs, such as {GPUS}")


RULE = Rule(
    code="SKU020",
    name="pool-with-sizes-without-gpus",
    severity=Severity.WARNING,
    summary="The requirements of a pool allow sizes without GPUs.",
    help="Karpenter starts the cheapest size for a pod, which has no GPU unless the pod requests one. gitgpu runs the "
    "device plugin and the exporter on every node of a pool, and they fail on nodes without GPUs.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)
