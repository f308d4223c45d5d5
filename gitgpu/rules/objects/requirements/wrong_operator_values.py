"""A requirement whose values do not fit its operator."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.requirement import BOUNDS
from gitgpu.objects.node.node_pools import Entry, every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_MAX_INT64 = 2**63  # the bound of the int64 that Karpenter parses
_MAX_DIGITS = 19  # of an int64; Python does not parse thousands of digits


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        for entry in pool.entries:
            if entry.operator == "In" and not entry.values:
                message = f"operator In of {entry.key} needs at least one value"
                yield Finding(pool.item, (*entry.pointer, "operator"), message, "list the values in values")
            elif entry.operator in BOUNDS and not (len(entry.values) == 1 and _is_count(entry.values[0])):
                yield Finding(pool.item, *_bound_fault(entry))


def _bound_fault(entry: Entry) -> tuple[tuple[str | int, ...], str, str]:
    remedy = 'set values to one whole number, such as ["8"]'
    if len(entry.values) == 1:
        message = f"operator {entry.operator} of {entry.key} needs a whole number; found '{entry.values[0]}'"
        return (*entry.pointer, "values", 0), message, remedy
    place = (*entry.pointer, "values" if entry.values else "operator")
    return place, f"operator {entry.operator} of {entry.key} needs exactly one value; found {len(entry.values)}", remedy


def _is_count(text: str) -> bool:
    digits = text[1:] if text.startswith(("+", "-")) else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
        return False
    return int(digits) < _MAX_INT64 and (int(digits) == 0 or not text.startswith("-"))


RULE = Rule(
    code="NPL001",
    name="wrong-operator-values",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodePool requirement has values that its operator cannot use.",
    help="In needs at least one value; Gt, Gte, Lt and Lte need exactly one whole number. The API server rejects "
    "anything else.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    check=_check,
)
