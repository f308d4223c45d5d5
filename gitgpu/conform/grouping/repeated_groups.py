"""Groups that say the same: what has no finding once has none again, and is not judged again.

Copies are common in repositories: of a directory for each environment, of examples for each version. Two groups are the
same here when rules could tell them apart only by the places of their objects. So this holds only where no rule has
asked for a place.
"""

import marshal
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.conform.grouped import grouped
from gitgpu.conform.objects import Item
from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.source import Pointer, Span

_FORMAT = 2  # of marshal: later ones write equal values in different ways


class Prepared(NamedTuple):
    """The objects of a group, and what else its findings depend on: version, whether it is closed, what is beyond."""

    items: Sequence[Item]
    minor: str
    closed: bool
    beyond: frozenset[tuple[str, str]]


class Judged(NamedTuple):
    """The findings of a group, and whether a rule has asked for the place of an object."""

    found: list[Diagnostic]
    asked: bool = False


Judge = Callable[[Prepared], Judged]
Spread = Callable[[Sequence[Prepared]], Sequence[Judged]]


def judged_once(groups: Sequence[Prepared], spread: Spread) -> Iterator[Diagnostic]:
    """The findings of all groups, in order; of groups that say the same, one is judged first."""
    if len(groups) == 1:  # has no copies, and may be very large
        yield from spread(groups)[0].found
        return
    same = grouped(range(len(groups)), lambda at: _digest(groups[at], at))
    firsts = [members[0] for members in same.values()]
    found = dict(zip(firsts, spread([groups[at] for at in firsts]), strict=True))
    others: list[int] = []
    for first, *copies in same.values():
        if found[first].found or found[first].asked:  # a finding names its files, so each copy needs its own
            others += copies
    found.update(zip(others, spread([groups[at] for at in others]), strict=True))
    for at in sorted(found):
        yield from found[at].found


def watched(group: Prepared, look: Callable[[Prepared], list[Diagnostic]]) -> Judged:
    """What a look at a group finds, and whether it has asked for a place."""
    asked: list[Pointer] = []
    made: dict[int, Places] = {}  # items that share their places do so still
    for item in group.items:
        made.setdefault(id(item.given.places), _Watched(item.given.places, asked))
    items = [item._replace(given=item.given._replace(places=made[id(item.given.places)])) for item in group.items]
    return Judged(look(group._replace(items=items)), bool(asked))


class _Watched:
    """Places that record that one was asked for."""

    def __init__(self, places: Places, asked: list[Pointer]) -> None:
        self._places, self._asked = places, asked

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value."""
        self._asked.append(tuple(pointer))
        return self._places.span(pointer, key=key)


def _digest(group: Prepared, at: int) -> Hashable:
    """What is equal for groups that say the same; the index where a group holds what is neither text nor number."""
    from hashlib import blake2b  # noqa: PLC0415  brings in OpenSSL; many runs have one group

    numbers: dict[int, int] = {}  # which items share their places
    for item in group.items:
        numbers.setdefault(id(item.given.places), len(numbers))
    try:
        words = marshal.dumps([(numbers[id(item.given.places)], *_seen(item)) for item in group.items], _FORMAT)
    except ValueError:
        return at
    return *group[1:], blake2b(words, digest_size=16).digest()


def _seen(item: Item) -> tuple[Any, ...]:
    """All that rules can see of an item but its places."""
    by = item.delivered
    return (
        *(item.given.body, item.given.patch, tuple(item.identity), item.scope.value, item.sound),
        *(sorted(map(repr, item.holes)), item.bare, by and (by.by, by.written), item.renamed, item.written),
    )
