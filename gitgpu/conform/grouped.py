"""Values by key: what is looked up for many objects is found without walking through all of them."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def grouped(values: Iterable[Value], key: Callable[[Value], Key]) -> dict[Key, list[Value]]:
    """The values of each key, in the order they came."""
    found: dict[Key, list[Value]] = {}
    for value in values:
        found.setdefault(key(value), []).append(value)
    return found
