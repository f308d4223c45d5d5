"""An object in the form in which two objects are compared: defaults filled in, lists by key, quantities by value.

The result is a flat mapping of paths to values, with readable paths: `spec.template.spec.taints[sku:NoSchedule].value`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gitgpu.access import MAPPING
from gitgpu.compare.hashes import nanoseconds
from gitgpu.model.catalog import Facts
from gitgpu.model.syntax.quantity import quantity

Flat: TypeAlias = Mapping[str, Any]
ORDER = "(order)"  # the last part of the path of the order of a keyed list, if the order matters


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that equals other spellings of the same value; `text` is the original spelling."""

    meaning: Any
    text: Any = field(compare=False)


def flat(body: Mapping[str, Any], lists: Facts) -> Flat:
    """The values of an object by path. null counts as absent; an empty mapping or list is a value."""
    return dict(_walk(body, "", "", lists))


def as_stored(body: Mapping[str, Any], facts: Facts | None) -> dict[str, Any]:
    """An object as the API server stores it: with the defaults of its kind, and without null."""
    result: dict[str, Any] = _copy(body)
    defaults = facts["defaults"] if facts else ()
    for default in defaults:
        *above, key = default["field"].split(".")
        for place in _places(result, above):
            place.setdefault(key, _copy(default["value"]))
    return result


def _places(body: dict[str, Any], above: list[str]) -> list[dict[str, Any]]:
    """The mappings at a path, in which `containers[]` stands for each entry of a list."""
    places = [body]
    for part in above:
        name, is_list = part.removesuffix("[]"), part.endswith("[]")
        inner: list[Any] = []
        for place in places:
            # Only `spec`, the first part, is created: the API server does not add a mapping that its author omitted.
            value = place.setdefault(part, {}) if place is body else place.get(name)
            inner += value if is_list and isinstance(value, list) else [value]
        places = [value for value in inner if isinstance(value, dict)]
    return places


# Most values have one of these types. Checking them first is faster: isinstance with Mapping, an ABC, is slow.
_SCALARS = (str, int, float)


def _copy(value: Any) -> Any:
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    if isinstance(value, MAPPING):
        # Scalars are most of the values; a call for each would take most of the time.
        return {
            key: inner if isinstance(inner, _SCALARS) else _copy(inner)
            for key, inner in value.items()
            if inner is not None
        }
    return value


def _walk(value: Any, path: str, name: str, lists: Facts) -> Iterator[tuple[str, Any]]:
    if isinstance(value, _SCALARS):
        yield path, _meant(value, name, lists)
    elif isinstance(value, MAPPING) and value:
        for key, inner in value.items():
            if inner is not None:
                below = f"{path}.{_part(key)}" if path else _part(key)
                walk = _amounts if key in lists["quantities"] else _walk
                yield from walk(inner, below, key, lists)
    elif isinstance(value, list) and value:
        yield from _list(value, path, name, lists)
    else:
        yield path, _meant(value, name, lists)


def _part(key: str) -> str:
    return f'"{key}"' if "." in key else key


def _amounts(value: Any, path: str, name: str, lists: Facts) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping) or not value:
        yield from _walk(value, path, name, lists)
        return
    for key, amount in value.items():
        if isinstance(amount, (Mapping, list)):
            yield from _walk(amount, f"{path}.{_part(key)}", key, lists)
        elif amount is not None:
            yield f"{path}.{_part(key)}", _by(quantity, amount)


def _meant(value: Any, name: str, lists: Facts) -> Any:
    return _by(nanoseconds, value) if name in lists["durations"] else value


def _by(read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return Shown(read(value), value)
    except ValueError:
        return value


def _list(value: list[Any], path: str, name: str, lists: Facts) -> Iterator[tuple[str, Any]]:
    if all(isinstance(entry, (str, int, float)) for entry in value):
        yield path, Shown(frozenset(map(str, value)), value) if name in lists["sets"] else value
        return
    keys = _keys(value, lists["keyed"].get(name, ()))
    for key, row in zip(keys or map(str, range(len(value))), value, strict=True):
        yield from _walk(row, f"{path}[{key}]", "", lists)
    if keys and name in lists["ordered"]:
        yield f"{path}.{ORDER}", keys


def _keys(value: list[Any], fields: list[str]) -> list[str]:
    """The keys that identify the entries; empty if they are not unique."""
    if not fields or not all(isinstance(entry, Mapping) for entry in value):
        return []
    # Without a unique key, entries are identified by their position.
    keys = [_entry_key(entry, fields) for entry in value]
    return keys if len(set(keys)) == len(keys) else []


def _entry_key(entry: Mapping[str, Any], fields: list[str]) -> str:
    return ":".join(str(entry[field]) for field in fields if entry.get(field) not in (None, ""))
