"""Label selectors and label keys, validated as the API server does in pods."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.source import Pointer

_LISTS, _BARE = ("In", "NotIn"), ("Exists", "DoesNotExist")
KEY = "use letters, digits, '-', '_' and '.', at most 63, after an optional DNS prefix and '/'"
VALUE = "use at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit"
_KEYS = ("matchLabelKeys", "mismatchLabelKeys")


class Fault(NamedTuple):
    """What is wrong with a selector: the place below it, the message and the remedy."""

    pointer: Pointer
    message: str
    help: str


def selector_faults(selector: Mapping[str, Any] | None) -> Iterator[Fault]:
    """What the API server rejects in a LabelSelector."""
    for key, value in (reach(selector, "matchLabels") or {}).items():
        yield from label_faults(("matchLabels", key), key, value)
    for index, expression in enumerate(reach(selector, "matchExpressions") or ()):
        if expression:
            for fault in _expression(expression):
                yield fault._replace(pointer=("matchExpressions", index, *fault.pointer))


def label_faults(place: Pointer, key: str, value: str | None) -> Iterator[Fault]:
    """What the API server rejects in a label that a pod requires."""
    if not is_qualified_name(key):
        yield Fault(place, f"'{key}' is not a valid label key", KEY)
    elif not is_label_value(value or ""):
        yield Fault(place, f"'{value}' is not a valid label value", VALUE)


def key_faults(term: Mapping[str, Any]) -> Iterator[Fault]:
    """What the API server rejects in matchLabelKeys and mismatchLabelKeys, given the labelSelector next to them."""
    selector = term.get("labelSelector")
    selected = {*(reach(selector, "matchLabels") or {})}
    selected |= {reach(expression, "key") for expression in reach(selector, "matchExpressions") or ()}
    same, other = (term.get(field) or [] for field in _KEYS)
    for field, keys in zip(_KEYS, (same, other), strict=True):
        if keys and selector is None:
            yield Fault((field,), f"{field} needs a labelSelector", "add a labelSelector")
        for index, key in enumerate(keys):
            if not is_qualified_name(key):
                yield Fault((field, index), f"'{key}' is not a valid label key", KEY)
    for index, key in enumerate(same):
        other_field = "labelSelector" if key in selected else "mismatchLabelKeys"
        if key in selected or key in other:
            message = f"{key} is in both matchLabelKeys and {other_field}"
            yield Fault(("matchLabelKeys", index), message, "remove it from one of them")


def _expression(expression: Mapping[str, Any]) -> Iterator[Fault]:
    key, operator, values = expression["key"], expression["operator"], expression.get("values") or ()
    if not is_qualified_name(key):
        yield Fault(("key",), f"'{key}' is not a valid label key", KEY)
    if operator not in (*_LISTS, *_BARE):
        operators = ", ".join((*_LISTS, *_BARE))
        yield Fault(("operator",), f"a label selector has no operator '{operator}'", f"use one of: {operators}")
    elif operator in _LISTS and not values:
        yield Fault((), f"operator {operator} needs values", "add at least one value")
    elif operator in _BARE and values:
        yield Fault(("values",), f"operator {operator} does not take values", "remove the values, or set operator: In")
    for index, value in enumerate(values):
        if not is_label_value(value):
            yield Fault(("values", index), f"'{value}' is not a valid label value", VALUE)
