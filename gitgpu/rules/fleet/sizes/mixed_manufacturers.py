"""A pool must not mix GPUs of different manufacturers."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.differences import differences
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import sizes_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        differing = differences(pool.skus, lambda sku: sku.resource)
        if differing:
            message = f"the sizes of the pool have different GPU resources: {differing}"
            remedy = "use a separate pool for each" + (
                "" if pool.sizes else ": set requirements.gpu.manufacturer: nvidia"
            )
            yield Finding(pool.origin, sizes_place(pool), message, remedy)


RULE = Rule(
    code="SKU009",
    name="mixed-manufacturers",
    twin="NPS017",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The sizes of a pool have GPUs of different manufacturers.",
    help="A pod requests nvidia.com/gpu or amd.com/gpu, and a node has one driver and one device plugin. Limits "
    "count one resource, so they would not bound the nodes of the other manufacturer.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
    ),
    check=_check,
)
