"""The places of an object that the user has changed: in the patch or values that set a value, else in the origin."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Places
from gitgpu.source import Pointer, Span

_ABSENT = object()
Locate: TypeAlias = Callable[[Pointer], tuple[Span, Span]]


class Written(NamedTuple):
    """A change that writes a value of an object, with `whole` everything in it. `locate` returns the places of parts.

    `by` is the place of the whole patch or of all values, `order` counts the changes of the object.
    """

    locate: Locate
    whole: bool
    by: Span
    order: int


class ChangedPlaces(NamedTuple):
    """The places of an object: `written` by the user, by pointer, and `base` for everything else.

    Entries of earlier changes stay when a later change writes something that contains them: the latest one counts.
    """

    base: Places
    written: Mapping[Pointer, Written]
    changes: int = 0

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value; with `key`, the place of its key."""
        written = self.find(pointer)
        if written is None:
            return self.base.span(pointer, key=key)
        return written.locate(tuple(pointer))[1 if key else 0]

    def find(self, pointer: Sequence[str | int]) -> Written | None:
        """The last change of the user that wrote the value, or something that contains it; None if there is none."""
        path = tuple(pointer)
        written_above = (self.written.get(path[:end]) for end in range(len(path)))
        whole = [written for written in written_above if written and written.whole]
        exact = self.written.get(path)
        return max([*whole, exact] if exact else whole, key=lambda written: written.order, default=None)


def with_changes(base: Places) -> ChangedPlaces:
    """The same places, for an object that the user may change."""
    return base if isinstance(base, ChangedPlaces) else ChangedPlaces(base, {})


def changed_places(base: Places, change: tuple[Any, Any], locate: Locate, by: Span) -> ChangedPlaces:
    """The places of an object after a change from one body to another, which is written at `by`.

    `locate` returns where the change writes a value and its key, by pointer.
    """
    places = with_changes(base)
    order = places.changes + 1
    new = {pointer: Written(locate, is_whole, by, order) for pointer, is_whole in differences(*change)}
    return places._replace(written={**places.written, **new}, changes=order)


def rebase(places: Places | None, base: Places) -> Places:
    """The places of an object with another base. What the user has changed stays at the patch or values."""
    return places._replace(base=base) if isinstance(places, ChangedPlaces) else base


def differences(before: Any, after: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, bool]]:
    """The pointers of what differs, each with whether everything below it differs too.

    If something is removed or an item changes, the mapping or list that contains it differs too, but not the rest of
    it.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _changed_keys(before, after, at)
    # Entries that are appended leave those before them where they were written.
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


def _changed_keys(before: Mapping[str, Any], after: Mapping[str, Any], at: Pointer) -> Iterator[tuple[Pointer, bool]]:
    # Most values of a large object stay the same, so comparing identities first makes many patches fast.
    for key, value in after.items():
        if before.get(key, _ABSENT) is value:
            continue
        if key not in before:
            yield (*at, key), True
        elif before[key] != value or isinstance(before[key], bool) is not isinstance(value, bool):
            yield from differences(before[key], value, (*at, key))
    removed_keys = [key for key in before if key not in after]
    yield from (((*at, key), True) for key in removed_keys)
    if removed_keys:
        yield at, False
