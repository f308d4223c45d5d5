"""The places of an object that the user has changed: in the patch or values where these decide, else in the origin."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Places
from gitgpu.source import Pointer, Span

_ABSENT = object()
Locate: TypeAlias = Callable[[Pointer], tuple[Span, Span]]


class Written(NamedTuple):
    """What writes a value of an object, and with `whole` all that is in it: `locate` gives the places of its parts.

    `by` is the place of the patch or values as a whole, `order` counts the changes of the object.
    """

    locate: Locate
    whole: bool
    by: Span
    order: int


class ChangedPlaces(NamedTuple):
    """The places of an object: `written` by the user, by pointer, and those of `base` for everything else.

    Entries of earlier changes stay when a later change writes something around them: the latest one counts.
    """

    base: Places
    written: Mapping[Pointer, Written]
    changes: int = 0

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value, of its key with `key`."""
        written = self.find(pointer)
        if written is None:
            return self.base.span(pointer, key=key)
        return written.locate(tuple(pointer))[1 if key else 0]

    def find(self, pointer: Sequence[str | int]) -> Written | None:
        """What of the user has written the value, or something that holds it; None where that is not so."""
        path = tuple(pointer)
        on_the_way = (self.written.get(path[:end]) for end in range(len(path)))
        whole = [written for written in on_the_way if written and written.whole]
        exact = self.written.get(path)
        return max([*whole, exact] if exact else whole, key=lambda written: written.order, default=None)


def with_changes(base: Places) -> ChangedPlaces:
    """The same places, for an object that the user may change."""
    return base if isinstance(base, ChangedPlaces) else ChangedPlaces(base, {})


def changed_places(base: Places, change: tuple[Any, Any], locate: Locate, by: Span) -> ChangedPlaces:
    """The places of an object after a change from one body to the other, which is written at `by`.

    `locate` gives where it writes a value and its key, by pointer.
    """
    places = with_changes(base)
    order = places.changes + 1
    new = {pointer: Written(locate, is_whole, by, order) for pointer, is_whole in differences(*change)}
    return places._replace(written={**places.written, **new}, changes=order)


def rebased(places: Places | None, base: Places) -> Places:
    """The places of an object with another base: what the user has changed stays at the patch or values."""
    return places._replace(base=base) if isinstance(places, ChangedPlaces) else base


def differences(before: Any, after: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, bool]]:
    """The pointers of what is different, each with whether that is true of everything in it.

    Where something is removed or an item changes, the mapping or list that holds it is different too, but not the rest.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _of_mappings(before, after, at)
    elif isinstance(before, list) and isinstance(after, list) and before and before == after[: len(before)]:
        yield from (((*at, index), True) for index in range(len(before), len(after)))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        if before != after:
            yield at, False
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                yield from differences(old, new, (*at, index))
    else:
        yield at, True


def _of_mappings(before: Mapping[str, Any], after: Mapping[str, Any], at: Pointer) -> Iterator[tuple[Pointer, bool]]:
    # Most values of a large object are the same: comparing identities first is what makes many patches fast.
    for key, value in after.items():
        if before.get(key, _ABSENT) is value:
            continue
        if key not in before:
            yield (*at, key), True
        elif before[key] != value or isinstance(before[key], bool) is not isinstance(value, bool):
            yield from differences(before[key], value, (*at, key))
    removed = [key for key in before if key not in after]
    yield from (((*at, key), True) for key in removed)
    if removed:
        yield at, False
