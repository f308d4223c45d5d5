"""Values in ARM templates: expressions of parameters with defaults, variables and text functions are evaluated.

Values that are only known to a deployment (a parameter without a default, `reference()`, `uniqueString()`) are UNKNOWN,
and so is everything that is computed from them. A secure parameter is UNKNOWN even if it has a default.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.inventory.arm.functions import FUNCTIONS
from gitgpu.inventory.arm.syntax import Call, Expression, Member, NotAnExpressionError, is_expression, parse

UNKNOWN = object()
BLANK = "\0"  # stands for unknown parts of a text
_MAX_DEPTH = 30  # levels of parameters and variables that refer to others
_MAX_STEPS = 20_000  # in one template: each call, parameter and variable
_MAX_COPIES = 800  # Azure's limit: learn.microsoft.com/azure/azure-resource-manager/templates/copy-resources
_MAX_LENGTH = 100_000  # characters or entries in the result of a function


class Budget:
    """The steps that are left for the expressions of a template: variables that refer to others can double them."""

    def __init__(self) -> None:
        self.left = _MAX_STEPS

    def spend(self) -> None:
        """Takes one step. Raises NotAnExpressionError if there is none left."""
        self.left -= 1
        if self.left < 0:
            raise NotAnExpressionError


class Scope(NamedTuple):
    """The names in expressions: parameters (`{NAME: {type, defaultValue}}` or `{NAME: {value}}`) and variables.

    With `blank`, unknown parts of a text become `BLANK`, so that the rest is known: `BLANK/gpu`.
    """

    parameters: Mapping[str, Any]
    variables: Mapping[str, Any]
    budget: Budget
    depth: int = 0
    blank: bool = False
    copies: Mapping[str, int] = {}


def copies_of(loop: Any, scope: Scope) -> list[Scope] | None:
    """The scope for each pass of a copy loop; None if their number is only known to a deployment."""
    count = evaluate(loop["count"], scope) if isinstance(loop, dict) and "count" in loop else UNKNOWN
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= min(_MAX_COPIES, scope.budget.left):
        return None
    scope.budget.left -= count  # loops can be nested
    name = str(loop.get("name") or "")
    return [scope._replace(copies={**scope.copies, name.lower(): index, "": index}) for index in range(count)]


def evaluate(value: Any, scope: Scope) -> Any:
    """A value with its expressions replaced. Unknown values in lists and mappings are UNKNOWN."""
    if isinstance(value, str):
        return _text(value, scope)
    if isinstance(value, list):
        return [evaluate(item, scope) for item in value]
    if isinstance(value, dict):
        properties = {key: evaluate(item, scope) for key, item in value.items() if key != "copy"}
        return properties | _loops(value.get("copy"), scope)
    return value


def _loops(loops: Any, scope: Scope) -> dict[str, Any]:
    """The properties that copy loops make: each is a list of the values of `input` in the passes."""
    properties: dict[str, Any] = {}
    for loop in loops if isinstance(loops, list) else ():
        if not (isinstance(loop, dict) and isinstance(loop.get("name"), str)):
            continue
        passes = copies_of(loop, scope)
        if passes is None:
            properties[loop["name"]] = UNKNOWN
        else:
            properties[loop["name"]] = [evaluate(loop.get("input"), index) for index in passes]
    return properties


def _index(arguments: Sequence[Any], scope: Scope) -> Any:
    """The number of the pass of a loop: `copyIndex()`, `copyIndex(offset)`, `copyIndex(name, offset)`."""
    named = bool(arguments) and isinstance(arguments[0], str)
    at = scope.copies.get(arguments[0].lower() if named else "")
    offset = next(iter(arguments[1:] if named else arguments), 0)
    return UNKNOWN if at is None else at + offset


def evaluate_name(value: Any, scope: Scope) -> str:
    """A name with BLANK for unknown parts, or BLANK alone if nothing is known."""
    name = evaluate(value, scope._replace(blank=True))
    return name if isinstance(name, str) else BLANK


def _text(text: str, scope: Scope) -> Any:
    if text.startswith("[["):  # an escaped bracket
        return text[1:]
    if not is_expression(text):
        return text
    try:
        return _result(parse(text[1:-1]), scope)
    # Expressions that are not understood, and errors of functions with wrong arguments.
    except (NotAnExpressionError, ValueError, TypeError, LookupError, AttributeError, StopIteration, ArithmeticError):
        return UNKNOWN


def _result(tree: Expression, scope: Scope) -> Any:
    scope.budget.spend()
    value = _value(tree, scope)
    return BLANK if scope.blank and value is UNKNOWN else value


def _value(tree: Expression, scope: Scope) -> Any:
    if isinstance(tree, Member):
        owner, key = _result(tree.of, scope), tree.key
        key = _result(key, scope) if isinstance(key, Call | Member) else key
        return UNKNOWN if UNKNOWN in (owner, key) else owner[key]
    if not isinstance(tree, Call):
        return tree
    return _named(tree, scope) if tree.function in ("parameters", "variables") else _called(tree, scope)


def _called(tree: Call, scope: Scope) -> Any:
    """The result of a function."""
    arguments = [_result(argument, scope) for argument in tree.arguments]
    if tree.function == "copyindex":
        return _index(arguments, scope)
    if tree.function == "if" and arguments[0] is not UNKNOWN:
        return arguments[1] if arguments[0] else arguments[2]
    function = FUNCTIONS.get(tree.function)
    length = sum(len(argument) for argument in arguments if hasattr(argument, "__len__"))
    if not function or UNKNOWN in arguments or length > _MAX_LENGTH:
        return UNKNOWN
    return function(*arguments)


def _named(tree: Call, scope: Scope) -> Any:
    """The value of a parameter or a variable."""
    inner = scope._replace(depth=scope.depth + 1)
    name = str(tree.arguments[0]).lower()
    table = scope.parameters if tree.function == "parameters" else scope.variables
    entry: Any = next((value for key, value in table.items() if key.lower() == name), UNKNOWN)
    if entry is UNKNOWN or scope.depth > _MAX_DEPTH:
        return UNKNOWN
    if tree.function == "variables":
        return evaluate(entry, inner)
    secure = str(entry.get("type", "")).lower().startswith("secure")
    value = entry.get("value", entry.get("defaultValue", UNKNOWN))
    return UNKNOWN if secure else evaluate(value, inner)
