"""JSON patches, RFC 6902: a list of operations on an object. No value is changed in place."""

from typing import Any, NamedTuple

from gitgpu.access import text_at
from gitgpu.load.validate.keywords import same


class Operated(NamedTuple):
    """A value after an operation. If the operation failed, it is unchanged, and `refusal` says why."""

    value: Any
    refusal: str = ""


class _RefusedError(Exception):
    """An operation has failed. Kustomize stops there."""


def apply_operations(body: dict[str, Any], operations: list[Any]) -> dict[str, Any]:
    """The object after all operations; unchanged if one of them fails."""
    result: Any = body
    for operation in operations:
        result, refusal = after_operation(result, operation)
        if refusal:
            return body
    return result if isinstance(result, dict) else body


def after_operation(value: Any, operation: Any) -> Operated:
    """The value after one operation, or why the operation fails."""
    try:
        return Operated(_operated(value, operation))
    except _RefusedError as refusal:
        return Operated(value, str(refusal))


def steps_of(path: str) -> list[str]:
    """The keys and indexes in a JSON pointer that is not empty."""
    return [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]


def _operated(value: Any, operation: Any) -> Any:
    kind, path = text_at(operation, "op"), text_at(operation, "path")
    if kind in ("move", "copy"):
        source = _steps(text_at(operation, "from"))
        taken = _at(value, source)
        left = _changed(value, source, "remove", None) if kind == "move" else value
        return _changed(left, _steps(path), "add", taken)
    if kind in ("add", "replace", "remove"):
        return _changed(value, _steps(path), kind, operation.get("value"))
    if kind != "test":
        raise _RefusedError(f"unknown operation {kind}")
    if not same(_at(value, _steps(path)), operation.get("value")):
        raise _RefusedError(f"{path} has a different value")
    return value


def _steps(path: str) -> list[str]:
    if not path.startswith("/"):
        raise _RefusedError(f"{path or 'an empty path'} is not the path of a value")
    return steps_of(path)


def _at(value: Any, steps: list[str]) -> Any:
    for depth, step in enumerate(steps):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list):
            value = value[_index(steps[: depth + 1], len(value) - 1)]
        else:
            raise _missing(steps[: depth + 1])
    return value


def _changed(value: Any, steps: list[str], kind: str, new: Any, depth: int = 0) -> Any:
    """The value with a change at the steps from `depth` on. Collections on the path are copied."""
    above, step, is_last = steps[: depth + 1], steps[depth], depth == len(steps) - 1
    if isinstance(value, list):
        if is_last:
            return _changed_list(value, above, kind, new)
        index = _index(above, len(value) - 1)
        return [*value[:index], _changed(value[index], steps, kind, new, depth + 1), *value[index + 1 :]]
    if not isinstance(value, dict) or (step not in value and not (is_last and kind == "add")):
        raise _missing(above)
    if is_last and kind == "remove":
        return {key: kept for key, kept in value.items() if key != step}
    return {**value, step: new if is_last else _changed(value[step], steps, kind, new, depth + 1)}


def _changed_list(value: list[Any], steps: list[str], kind: str, new: Any) -> list[Any]:
    if kind == "add":
        index = len(value) if steps[-1] == "-" else _index(steps, len(value))
        return [*value[:index], new, *value[index:]]
    index = _index(steps, len(value) - 1)
    instead = [] if kind == "remove" else [new]
    return [*value[:index], *instead, *value[index + 1 :]]


def _index(steps: list[str], maximum: int) -> int:
    step = steps[-1]
    if not step.isascii() or not step.isdigit() or int(step) > maximum:
        raise _missing(steps)
    return int(step)


def _missing(steps: list[str]) -> _RefusedError:
    path = "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)
    return _RefusedError(f"{path} does not exist")
