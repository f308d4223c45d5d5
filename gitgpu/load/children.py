"""What a mapping or a list holds, with the key or the index of each value."""

from collections.abc import Iterator
from typing import Any


def children(value: Any) -> Iterator[tuple[Any, Any]]:
    """The keys or indexes and the values of a mapping or a list; nothing of any other value."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
