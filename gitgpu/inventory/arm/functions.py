"""The functions of ARM templates whose results do not depend on a deployment, by name in lower case.

The list: learn.microsoft.com/azure/azure-resource-manager/templates/template-functions. Wrong arguments raise.
"""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any


def _format(text: str, *values: Any) -> str:
    for index, value in enumerate(values):
        text = text.replace(f"{{{index}}}", _shown(value))
    return text


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    return str(value)


def _concat(*values: Any) -> Any:
    if values and isinstance(values[0], list):
        return list(chain.from_iterable(values))
    return "".join(_shown(value) for value in values)


def _contains(within: Any, value: Any) -> bool:
    """Whether a list or a text contains a value. The keys of an object are compared without case."""
    if isinstance(within, dict):
        return value.lower() in map(str.lower, within)
    return value in within


def _union(*values: Any) -> Any:
    union: dict[str, Any] = {}
    for value in values:
        union |= value
    return union


def _object(*values: Any) -> dict[str, Any]:
    return dict(zip(values[::2], values[1::2], strict=True))


def _product(first: Any, other: Any) -> int:
    """The product of two numbers. Raises TypeError for texts, which Python would repeat."""
    if not (isinstance(first, int) and isinstance(other, int)):
        raise TypeError
    return first * other


def _numbers(values: tuple[Any, ...]) -> Any:
    """The arguments of `max` and `min`: one list of numbers, or the numbers themselves."""
    return values[0] if isinstance(values[0], list) else values


def _substring(text: str, start: int, length: int | None = None) -> str:
    return text[start:] if length is None else text[start : start + length]


def _resource_id(*parts: Any) -> str:
    """The end of a resource ID: the type and the names. The subscription is only known to a deployment."""
    at = next(at for at, part in enumerate(parts) if "/" in str(part))
    kind, *names = (str(part) for part in parts[at:])
    provider, *types = kind.split("/")
    pairs = "/".join(f"{type_}/{name}" for type_, name in zip(types, names, strict=True))
    return f"{provider}/{pairs}"


# As in Azure, `startsWith` and `endsWith` ignore case, and `contains` ignores it only for the keys of an object:
# https://learn.microsoft.com/azure/azure-resource-manager/templates/template-functions-object#contains.
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "and": lambda *values: all(values),
    "array": lambda value: value if isinstance(value, list) else [value],
    "bool": lambda value: str(value).lower() in ("true", "1"),
    "add": lambda first, other: first + other,
    "coalesce": lambda *values: next((value for value in values if value is not None), None),
    "concat": _concat,
    "contains": _contains,
    "createarray": lambda *values: list(values),
    "createobject": _object,
    "div": lambda first, other: first // other,
    "empty": lambda value: not value,
    "equals": lambda first, other: first == other,
    "false": lambda: False,
    "first": lambda value: value[0],
    "format": _format,
    "endswith": lambda text, part: text.lower().endswith(part.lower()),
    "greater": lambda first, other: first > other,
    "greaterorequals": lambda first, other: first >= other,
    "int": int,
    "join": lambda values, between: between.join(map(str, values)),
    "last": lambda value: value[-1],
    "length": len,
    "less": lambda first, other: first < other,
    "lessorequals": lambda first, other: first <= other,
    "max": lambda *values: max(_numbers(values)),
    "min": lambda *values: min(_numbers(values)),
    "mul": _product,
    "not": lambda value: not value,
    "null": lambda: None,
    "or": lambda *values: any(values),
    "replace": lambda text, old, new: text.replace(old, new),
    "resourceid": _resource_id,
    "split": lambda text, between: text.split(between),
    "startswith": lambda text, part: text.lower().startswith(part.lower()),
    "string": _shown,
    "sub": lambda first, other: first - other,
    "substring": _substring,
    "tolower": str.lower,
    "toupper": str.upper,
    "trim": str.strip,
    "true": lambda: True,
    "union": _union,
}
