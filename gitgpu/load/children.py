"""The values of a mapping or a list, with their keys or indexes."""

from collections.abc import Iterator
from typing import Any


def children(value: Any) -> Iterator[tuple[Any, Any]]:
    """The keys or indexes and the values of a mapping or a list; empty for any other value."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
