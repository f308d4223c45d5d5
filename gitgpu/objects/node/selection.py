"""Whether an object selects the nodes of a pool: in an affinity, a node selector or the values of a chart.

Running nodes keep the labels that they were created with, also when their pool changes.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import MAPPING, list_at, text_at

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
    return bool(selected_pools(value, {nodes.label: nodes}))


def selected_pools(value: Any, pools: Mapping[Label, PoolNodes]) -> set[Label]:
    """The labels of the pools whose nodes an object selects."""
    keys = {label.key for label in pools}
    found: set[Label] = set()
    for part in _parts(value):
        found |= _matched(part, pools, keys) if isinstance(part, list) else pools.keys() & set(_named(part, keys))
    return found


def _parts(value: Any) -> Iterator[Mapping[str, Any] | list[Any]]:
    """The expressions of each term of an affinity, and each mapping outside of them."""
    if isinstance(value, list):
        for entry in value:
            yield from _parts(entry)
    elif isinstance(value, MAPPING):
        yield value
        for key, entry in value.items():
            if key != _TERMS:
                yield from _parts(entry)
        yield from (list_at(term, "matchExpressions") for term in list_at(value, _TERMS))


def _named(part: Mapping[str, Any], keys: Collection[str]) -> Iterator[Label]:
    """The pools that a selector or an expression outside a term names."""
    yield from (Label(key, str(part[key])) for key in keys if key in part)
    own = text_at(part, "key")  # "" for a key of another type
    if own in keys and part.get("operator") != "NotIn":
        yield from (Label(own, str(value)) for value in list_at(part, "values"))


def _matched(rules: list[Any], pools: Mapping[Label, PoolNodes], keys: Collection[str]) -> set[Label]:
    """The pools whose nodes meet all expressions of a term; only those that it names, if it names some."""
    named = next((rule for rule in rules if text_at(rule, "key") in keys and text_at(rule, "operator") == "In"), None)
    candidates = pools.keys() & set(_named(named, keys)) if named else pools.keys()
    return {label for label in candidates if rules and all(_is_met(rule, pools[label]) for rule in rules)}


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
