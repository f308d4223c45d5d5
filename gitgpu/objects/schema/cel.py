"""CEL rules of CRDs: evaluated by Google's engine if the extra gitgpu[cel] is installed, otherwise only counted."""

import re
from functools import cache
from importlib.util import find_spec
from typing import Any

from gitgpu.load.validate.linear_regex import has_re2, linear
from gitgpu.objects.indexes import exact_key

PACKAGE = "cel_expr_python"
_LONG, _MANY = 500, 20_000  # the length of values whose results are remembered, and the number of results
_FIELD = re.compile(r"\bself\.(\w+)", re.ASCII)
_WHOLE = re.compile(r"\bself\b(?!\.\w+\b(?!\())", re.ASCII)  # also in `self.all(...)`


class Engine:
    """Evaluates rules. `left` are those that it cannot, for lack of an engine or a function."""

    def __init__(self) -> None:
        self.left: set[str] = set()
        self.known: dict[tuple[str, str | bytes], bool] = {}

    @property
    def missing(self) -> bool:
        """Whether there is no CEL engine."""
        return not _is_installed(PACKAGE)

    def holds(self, rule: str, value: Any) -> bool:
        """Whether a rule is true for `self`. As in the API server, it is not if its evaluation fails."""
        read = _fields(rule)
        if not read or not isinstance(value, dict):
            return self._holds(rule, value)
        part = {key: value[key] for key in read if key in value}  # the engine copies what it gets
        text = exact_key(part)
        if len(text) > _LONG:
            return self._holds(rule, part)
        if len(self.known) > _MANY:
            self.known.clear()
        if (rule, text) not in self.known:
            self.known[rule, text] = self._holds(rule, part)
        return self.known[rule, text]

    def _holds(self, rule: str, value: Any) -> bool:
        program = None if self.missing else _program(rule)
        if program is None:
            self.left.add(rule)
            return True
        try:
            result = program.eval(data={"self": value}).value()
        except Exception as error:  # noqa: BLE001  the engine raises its own kinds
            result = error
        if isinstance(result, bool):
            return result
        # overload or Overload: the API server knows the types from the schema, but the engine does not.
        if "verload" in str(result):
            self.left.add(rule)
            return True
        return False


@cache
def _fields(rule: str) -> tuple[str, ...]:
    """The fields of `self` that a rule reads; () if it also uses `self` in another way."""
    return () if _WHOLE.search(rule) else tuple(sorted(set(_FIELD.findall(rule))))


@cache
def _is_installed(package: str) -> bool:
    return find_spec(package) is not None


@cache
def _program(rule: str) -> Any:
    """A rule, compiled once in a process; None if it has words that the engine does not know."""
    try:
        return _environment().compile(rule)
    except Exception:  # noqa: BLE001  as above: such a rule is left to the server
        return None


@cache
def _environment() -> Any:
    """CEL with those functions of Kubernetes' libraries that take and return strings."""
    from cel_expr_python import cel  # noqa: PLC0415  heavy, and an extra
    from cel_expr_python.ext import ext_optional, ext_strings  # noqa: PLC0415

    text, texts = cel.Type.STRING, cel.Type.List(cel.Type.STRING)

    def find(value: str, pattern: str) -> str:
        match = linear(pattern).search(value)
        return str(match[0]) if match else ""

    def find_all(value: str, pattern: str) -> list[str]:
        return [match[0] for match in linear(pattern).finditer(value)]

    def function(name: str, returns: Any, body: Any) -> Any:
        overload = cel.Overload(f"string_{name}", returns, [text, text], is_member=True, impl=body)
        return cel.FunctionDecl(name, [overload])

    functions = [function("find", text, find), function("findAll", texts, find_all)] if has_re2() else []
    extensions = [ext_strings.ExtStrings(), ext_optional.ExtOptional()]
    return cel.NewEnv(variables={"self": cel.Type.DYN}, functions=functions, extensions=extensions)
