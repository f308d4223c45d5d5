"""A lower bound on memory that every size meets, most likely because it is in GiB."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.requirements._memory import MIB_PER_GIB, gib_written, least_memory, memory_demands


def _check(objects: Objects) -> Iterator[Finding]:
    for pool, demand in memory_demands(objects):
        low = demand.meaning.low if demand.meaning else None
        minimum = least_memory(objects) if pool.for_gpus else MIB_PER_GIB  # no size has less than 1 GiB
        if low is not None and 1 < low < minimum:  # Gt 0 only states that the label exists
            yield gib_written(pool, demand)


RULE = Rule(
    code="NPL019",
    name="ignored-memory-bound",
    severity=Severity.WARNING,
    summary="A NodePool has a lower bound on memory that every size meets, as if the label counted GiB.",
    help="sku-memory counts MiB: Gt 64 requires more than 64 MiB, which every size has. The NodePool then includes "
    "small sizes as well.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
