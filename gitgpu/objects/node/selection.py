"""Whether an object selects the nodes of a pool: in an affinity, a node selector or the values of a chart.

Running nodes keep the labels that they were created with, also when their pool changes.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import list_at, text_at

# The values that a label can have on the nodes of a pool: () if they lack it, None if that is unknown.
Values: TypeAlias = Callable[[str], Collection[str] | None]
_TERMS = "nodeSelectorTerms"


class Label(NamedTuple):
    """The label that only the nodes of a pool have."""

    key: str
    value: str


class PoolNodes(NamedTuple):
    """The nodes of a pool: their own label, and what is known about the others."""

    label: Label
    values: Values


def selects(value: Any, nodes: PoolNodes) -> bool:
    """Whether an object, or a part of it, selects the nodes: by their pool, or by labels that they have or may have."""
    if isinstance(value, list):
        return any(selects(entry, nodes) for entry in value)
    if not isinstance(value, Mapping):
        return False
    if value.get(nodes.label.key) == nodes.label.value or _lists(value, nodes.label):
        return True
    if any(_matches(term, nodes) for term in list_at(value, _TERMS)):
        return True
    return any(selects(entry, nodes) for key, entry in value.items() if key != _TERMS)


def _lists(value: Mapping[str, Any], label: Label) -> bool:
    """Whether it is an expression outside a term that lists the pool."""
    is_negated = value.get("operator") == "NotIn"
    return value.get("key") == label.key and label.value in list_at(value, "values") and not is_negated


def _matches(term: Any, nodes: PoolNodes) -> bool:
    rules = list_at(term, "matchExpressions")
    return bool(rules) and all(_is_met(rule, nodes) for rule in rules)


def _is_met(rule: Any, nodes: PoolNodes) -> bool:
    """Whether nodes of the pool can meet an expression of an affinity. They can if the label is unknown."""
    key, operator, listed = text_at(rule, "key"), text_at(rule, "operator"), list_at(rule, "values")
    own = nodes.label
    values = (own.value,) if key == own.key else nodes.values(key)
    if values is None:
        return True
    if operator in ("In", "Exists"):
        return any(operator == "Exists" or value in listed for value in values)
    return not values or (operator == "NotIn" and any(value not in listed for value in values))
