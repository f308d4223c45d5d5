"""A requirement for less memory than any size has, most likely because it is in GiB."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.node.node_pools import LabelRequirement
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.requirements._memory import gib_written, least_memory, memory_demands


def _check(objects: Objects) -> Iterator[Finding]:
    for pool, demand in memory_demands(objects):
        if _is_too_small(demand, least_memory(objects)):
            yield gib_written(pool, demand)


def _is_too_small(demand: LabelRequirement, minimum: int) -> bool:
    read = (whole_number(value) for _, value in demand.values)
    numbers = [number for number in read if number is not None]
    # A value that is not a number is another mistake than MiB for GiB.
    if not numbers or len(numbers) < len(demand.values):
        return False
    bounded = demand.meaning is not None and demand.meaning.high is not None and demand.meaning.high < minimum
    return bounded or (demand.operator == "In" and max(numbers) < minimum)


RULE = Rule(
    code="NPL018",
    name="memory-below-any-size",
    severity=Severity.ERROR,
    summary="A NodePool requires less memory than any size has, as if the label counted GiB.",
    help="sku-memory counts MiB: a size with 220 GiB has the value 225280. A requirement for 220 matches nothing, and "
    "pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
