"""A requirement on label values that no node has."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.label_values import known_values, same_but_for_case, yaml_value
from gitgpu.objects.node.node_pools import LabelRequirement, NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of


def _check(objects: Objects) -> Iterator[Finding]:
    values_by_key = known_values(objects)
    for pool in node_pools(objects):
        for demand in pool.label_requirements:
            if demand.operator == "In" and demand.key in values_by_key:
                yield from _faults(pool, demand, values_by_key)


def _faults(
    pool: NodePool, demand: LabelRequirement, values_by_key: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    allowed = values_by_key[demand.key]
    right = {value for _, value in demand.values} & set(allowed)
    if not right:
        for place, value in demand.values:
            better = same_but_for_case(value, allowed)
            remedy = f"use {yaml_value(better)}" if better else f"use {one_of(allowed)}"
            repair = Repair(Change.VALUE, place, yaml_value(better)) if better else None
            message = f"no node has {demand.key} '{value}'"
            yield Finding(pool.item, place, message, remedy, repair=repair)
        return
    minimum = demand.meaning.minimum if demand.meaning else None
    # NPL002 reports a list with fewer values than minValues.
    if minimum is not None and len(right) < minimum <= len(demand.values):
        message = f"minValues is {minimum}, but nodes have only {', '.join(sorted(right))} for {demand.key}"
        yield Finding(pool.item, (*demand.pointer, "minValues"), message, f"lower minValues to {len(right)} or less")


RULE = Rule(
    code="NPL006",
    name="unknown-label-value",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A NodePool requires values of a well-known label that no node has.",
    help="Some labels have a fixed set of values, and they are case-sensitive. When none of the required values is in "
    "the set, the NodePool stays NotReady or no size fits, and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
    fixable=True,
)
