"""A value in a requirement that has no effect, because no node has it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.label_values import known_values, same_but_for_case, yaml_value
from gitgpu.objects.node.node_pools import LabelRequirement, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    values_by_key = known_values(objects)
    for pool in node_pools(objects):
        for demand in pool.label_requirements:
            if demand.key not in values_by_key:
                continue
            allowed = values_by_key[demand.key]
            for place, value, message in _ignored(demand, allowed):
                better = same_but_for_case(value, allowed)
                if better in (listed for _, listed in demand.values):  # then the wrong spelling can go
                    better = ""
                repair = Repair(Change.VALUE, place, yaml_value(better)) if better else None
                remedy = f"use {yaml_value(better)}" if better else "remove it"
                yield Finding(pool.item, place, message, remedy, repair=repair)


def _ignored(demand: LabelRequirement, allowed: tuple[str, ...]) -> Iterator[tuple[Pointer, str, str]]:
    """Unknown values next to known ones.

    In a NotIn, only values in the wrong case: others may be excluded as a precaution.
    """
    has_known = any(value in allowed for _, value in demand.values)
    for place, value in demand.values:
        if demand.operator == "In" and has_known and value not in allowed:
            yield place, value, f"no node has {demand.key} '{value}', so it is ignored"
        if demand.operator == "NotIn" and same_but_for_case(value, allowed):
            yield place, value, f"no node has {demand.key} '{value}', so this excludes nothing"


RULE = Rule(
    code="NPL007",
    name="ignored-label-value",
    severity=Severity.WARNING,
    summary="A NodePool lists a value of a well-known label that no node has.",
    help="Karpenter uses the values that it knows, and reports the others only in its log. In a NotIn, a value in the "
    "wrong case excludes nothing: NotIn [Spot] still gets spot nodes.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
    fixable=True,
)
