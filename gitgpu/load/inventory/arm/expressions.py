"""Values of ARM templates: expressions of parameters with defaults, variables and text functions are evaluated.

What only a deployment knows (a parameter without a default, `reference()`, `uniqueString()`) is UNKNOWN, and so is all
that is computed from it. A secure parameter is UNKNOWN even where it has a default.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gitgpu.load.inventory.arm.syntax import Call, Expression, Member, NotAnExpressionError, is_expression, parsed

UNKNOWN = object()
BLANK = "\0"  # in a text, for what is unknown
_DEEPEST = 30  # parameters and variables that are defined by others
_MOST_STEPS = 20_000  # of one template: each call, parameter and variable
_LONGEST = 100_000  # characters or entries of what a function makes


class Budget:
    """How many steps the expressions of a template may still take: variables that name others can double each time."""

    def __init__(self) -> None:
        self.left = _MOST_STEPS

    def spend(self) -> None:
        """One step. Raises NotAnExpressionError when there is none left."""
        self.left -= 1
        if self.left < 0:
            raise NotAnExpressionError


class Scope(NamedTuple):
    """What expressions may name: parameters (`{NAME: {type, defaultValue}}` or `{NAME: {value}}`) and variables.

    `blank` says that a text stands for what is unknown, so that the rest of a text is known: `BLANK/gpu`.
    """

    parameters: Mapping[str, Any]
    variables: Mapping[str, Any]
    budget: Budget
    depth: int = 0
    blank: bool = False


def evaluated(value: Any, scope: Scope) -> Any:
    """A value with its expressions replaced. In lists and mappings, what is unknown is UNKNOWN."""
    if isinstance(value, str):
        return _text(value, scope)
    if isinstance(value, list):
        return [evaluated(item, scope) for item in value]
    if isinstance(value, dict):
        return {key: evaluated(item, scope) for key, item in value.items() if key != "copy"}
    return value


def evaluated_name(value: Any, scope: Scope) -> str:
    """A name with BLANK in place of what is unknown; BLANK alone where nothing is known."""
    found = evaluated(value, scope._replace(blank=True))
    return found if isinstance(found, str) else BLANK


def _text(text: str, scope: Scope) -> Any:
    if text.startswith("[["):
        return text[1:]
    if not is_expression(text):
        return text
    try:
        return _result(parsed(text[1:-1]), scope)
    except (NotAnExpressionError, ValueError, TypeError, LookupError, AttributeError, StopIteration, ArithmeticError):
        return UNKNOWN


def _result(tree: Expression, scope: Scope) -> Any:
    scope.budget.spend()
    found = _value(tree, scope)
    return BLANK if scope.blank and found is UNKNOWN else found


def _value(tree: Expression, scope: Scope) -> Any:
    if isinstance(tree, Member):
        of, key = _result(tree.of, scope), tree.key
        key = _result(key, scope) if isinstance(key, Call | Member) else key
        return UNKNOWN if UNKNOWN in (of, key) else of[key]
    if not isinstance(tree, Call):
        return tree
    if tree.function in ("parameters", "variables"):
        return _named(tree, scope)
    arguments = [_result(argument, scope) for argument in tree.arguments]
    if tree.function == "if" and arguments[0] is not UNKNOWN:
        return arguments[1] if arguments[0] else arguments[2]
    known = _FUNCTIONS.get(tree.function)
    if not known or UNKNOWN in arguments or sum(len(each) for each in arguments if hasattr(each, "__len__")) > _LONGEST:
        return UNKNOWN
    return known(*arguments)


def _named(tree: Call, scope: Scope) -> Any:
    """The value of a parameter or a variable."""
    inner = scope._replace(depth=scope.depth + 1)
    name = str(tree.arguments[0]).lower()
    table = scope.parameters if tree.function == "parameters" else scope.variables
    entry: Any = next((value for key, value in table.items() if key.lower() == name), UNKNOWN)
    if entry is UNKNOWN or scope.depth > _DEEPEST:
        return UNKNOWN
    if tree.function == "variables":
        return evaluated(entry, inner)
    secure = str(entry.get("type", "")).lower().startswith("secure")
    value = entry.get("value", entry.get("defaultValue", UNKNOWN))
    return UNKNOWN if secure else evaluated(value, inner)


def _format(text: str, *values: Any) -> str:
    for at, value in enumerate(values):
        text = text.replace(f"{{{at}}}", _shown(value))
    return text


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    return str(value)


def _concat(*values: Any) -> Any:
    if values and isinstance(values[0], list):
        return [item for value in values for item in value]
    return "".join(_shown(value) for value in values)


def _union(*values: Any) -> Any:
    made: dict[str, Any] = {}
    for value in values:
        made |= value
    return made


def _object(*values: Any) -> dict[str, Any]:
    return dict(zip(values[::2], values[1::2], strict=True))


def _resource_id(*parts: Any) -> str:
    """The end of a resource ID: the type and the names. The subscription is known only to a deployment."""
    at = next(at for at, part in enumerate(parts) if "/" in str(part))
    kind, *names = (str(part) for part in parts[at:])
    provider, *types = kind.split("/")
    pairs = "/".join(f"{one}/{name}" for one, name in zip(types, names, strict=True))
    return f"{provider}/{pairs}"


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "and": lambda *values: all(values),
    "array": lambda value: value if isinstance(value, list) else [value],
    "bool": lambda value: str(value).lower() in ("true", "1"),
    "add": lambda first, other: first + other,
    "coalesce": lambda *values: next((value for value in values if value is not None), None),
    "concat": _concat,
    "contains": lambda within, value: value in within,
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
    "max": lambda *values: max(values[0] if isinstance(values[0], list) else values),
    "min": lambda *values: min(values[0] if isinstance(values[0], list) else values),
    "mul": lambda first, other: first * other if isinstance(first, int) and isinstance(other, int) else UNKNOWN,
    "not": lambda value: not value,
    "null": lambda: None,
    "or": lambda *values: any(values),
    "replace": lambda text, old, new: text.replace(old, new),
    "resourceid": _resource_id,
    "split": lambda text, between: text.split(between),
    "startswith": lambda text, part: text.lower().startswith(part.lower()),
    "string": _shown,
    "sub": lambda first, other: first - other,
    "substring": lambda text, start, length=None: text[start : None if length is None else start + length],
    "tolower": str.lower,
    "toupper": str.upper,
    "trim": str.strip,
    "true": lambda: True,
    "union": _union,
}
