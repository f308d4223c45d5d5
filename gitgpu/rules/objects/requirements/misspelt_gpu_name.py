"""A GPU name that is not spelt as Karpenter spells it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.size.node_labels import GPU_NAME
from gitgpu.objects.node.candidate_sizes import accelerators, gpu_name_parts, values
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, name in values(pool, (GPU_NAME,), ("In", "NotIn")):
            meant = {gpu_name.upper(): gpu_name for gpu_name in accelerators(objects)}
            right = next((meant[word] for word in gpu_name_parts(name) if word in meant), "")
            if right and right != name:
                message = f"no size has the GPU name {name}: Karpenter uses the part of the size name, which is {right}"
                repair = Repair(Change.VALUE, place, right)
                yield Finding(pool.item, place, message, f"use {right}", repair=repair)


RULE = Rule(
    code="NPS008",
    name="misspelt-gpu-name",
    severity=Severity.ERROR,
    summary="A NodePool selects a GPU by a name that Karpenter does not use.",
    help="The value of sku-gpu-name is the GPU part of the size name: A100 in Standard_NC24ads_A100_v4. NVIDIA's "
    "names, names with the memory size and names in lower case match no size.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/skewer/blob/1b511013c03b2dba717188759d734e6e38001fb8/vmsize.go",
    ),
    check=_check,
    fixable=True,
)
