"""GPUs of different manufacturers in one NodePool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.differences import differences
from gitgpu.model.size.node_labels import GPU_COUNT, GPU_MAKER, GPU_NAME, NAMES
from gitgpu.objects.node.candidate_sizes import candidates, is_decided, own_class, place
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        # Without its node class, it is unknown which of the sizes are excluded.
        if not own_class(pool, objects) or not is_decided(pool, objects):
            continue
        differing = differences(candidates(pool, objects), lambda sku: sku.resource)
        if differing:
            message = f"the sizes have different GPU resources: {differing}"
            remedy = f"use a separate NodePool for each, with a requirement on {GPU_MAKER}"
            yield Finding(pool.item, place(pool, *NAMES, GPU_NAME, GPU_COUNT), message, remedy)


RULE = Rule(
    code="NPS017",
    name="mixed-manufacturers",
    twin="SKU009",
    severity=Severity.WARNING,
    summary="A NodePool allows sizes with GPUs of different manufacturers.",
    help="A pod requests nvidia.com/gpu or amd.com/gpu, and each needs its own driver and device plugin. A limit "
    "counts only one of the two, so the other is unlimited. Labels and taints of the NodePool do not distinguish the "
    "nodes.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
    ),
    check=_check,
)
