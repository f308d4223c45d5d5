"""How far long work is: what does it says so to a callback."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")
Count: TypeAlias = Callable[[int, int], None]  # gets how many items are done, and how many there are


def no_count(_done: int, _total: int) -> None:
    """The callback if the numbers are not shown."""


def counting(items: Sequence[Item], count: Count) -> Iterator[Item]:
    """The items, each counted as done when the next one is asked for."""
    for done, item in enumerate(items):
        count(done, len(items))
        yield item
    count(len(items), len(items))
