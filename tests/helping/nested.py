"""The values inside other values, each with its path."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Path = tuple[Any, ...]


def entries(value: Any) -> Iterable[tuple[Any, Any]]:
    """The entries of a mapping or a list, each with its key or position. Other values have none."""
    if isinstance(value, Mapping):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def values_inside(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value inside a value, at any depth."""
    for key, inner in entries(value):
        yield (*path, key), inner
        yield from values_inside(inner, (*path, key))
