"""JSON patches, RFC 6902: operations on the values of an object, one after the other."""

from copy import deepcopy
from typing import Any

from gitgpu.load.access import words


class _RefusedError(Exception):
    """An operation that cannot be carried out; Kustomize stops there."""


def operated(body: dict[str, Any], operations: list[Any]) -> dict[str, Any]:
    """The object after all operations; as it was where one of them cannot be carried out."""
    made: Any = deepcopy(body)
    try:
        for operation in operations:
            _operate(made, operation)
    except _RefusedError:
        return body
    return made if isinstance(made, dict) else body


def _operate(made: Any, operation: Any) -> None:
    kind, path = words(operation, "op"), words(operation, "path")
    if kind in ("move", "copy"):
        value = deepcopy(_at(made, _steps(words(operation, "from"))))
        if kind == "move":
            _change(made, _steps(words(operation, "from")), "remove", None)
        _change(made, _steps(path), "add", value)
    elif kind in ("add", "replace", "remove"):
        _change(made, _steps(path), kind, deepcopy(operation.get("value")))
    elif kind == "test":
        if _at(made, _steps(path)) != operation.get("value"):
            raise _RefusedError
    else:
        raise _RefusedError


def _steps(path: str) -> list[str]:
    if not path.startswith("/"):
        raise _RefusedError
    return [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]


def _at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list):
            value = value[_index(step, len(value) - 1)]
        else:
            raise _RefusedError
    return value


def _change(made: Any, steps: list[str], kind: str, value: Any) -> None:
    owner, last = _at(made, steps[:-1]), steps[-1]
    if isinstance(owner, list):
        _change_list(owner, last, kind, value)
    elif not isinstance(owner, dict) or (kind != "add" and last not in owner):
        raise _RefusedError
    elif kind == "remove":
        del owner[last]
    else:
        owner[last] = value


def _change_list(owner: list[Any], last: str, kind: str, value: Any) -> None:
    if kind == "add":
        owner.insert(len(owner) if last == "-" else _index(last, len(owner)), value)
    elif kind == "remove":
        del owner[_index(last, len(owner) - 1)]
    else:
        owner[_index(last, len(owner) - 1)] = value


def _index(step: str, most: int) -> int:
    if not step.isascii() or not step.isdigit() or int(step) > most:
        raise _RefusedError
    return int(step)
