"""The places in an object that do not match its schema. Without them it matches, so that rules can read the rest."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import children, has
from gitgpu.load.explain.fault import Fault
from gitgpu.source import Pointer

_ROUNDS = 4  # each one removes what the previous one made invalid, such as a mapping that needs one of several keys
# Without these, it is not known which object it is.
_OWN = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"), ("metadata", "generateName"))


class Flaw(NamedTuple):
    """The place of a value that is invalid or missing or, with `at_key`, that has a key that its schema does not have.

    It ends with a key of a mapping: an invalid item of a list makes the whole list a flaw. With `optional`, the value
    is missing, and the newest release does not need it: only rules that fail without it do not judge the object.
    """

    pointer: Pointer
    at_key: bool = False
    optional: bool = False


def flaws_of(
    body: Mapping[str, Any], faults: Sequence[Fault], check: Callable[[Mapping[str, Any]], list[Fault]]
) -> frozenset[Flaw]:
    """The flaws behind these faults; none if the rest of the object does not match its schema either, says `check`."""
    flaws: frozenset[Flaw] = frozenset()
    rest = body
    for _ in range(_ROUNDS):
        flaws |= flaws_at(faults)
        if not flaws or _hide_identity(flaws):  # also if there are more faults than are listed
            return frozenset()
        rest = without_flaws(body, flaws)
        remaining = check(rest)
        flaws |= flaws_at(fault for fault in remaining if not has(rest, fault.pointer))
        faults = [fault for fault in remaining if has(rest, fault.pointer)]
        if not (faults or _hide_identity(flaws)):
            return flaws
    return frozenset()


def flaws_at(faults: Iterable[Fault]) -> frozenset[Flaw]:
    """The flaw behind each fault."""
    return frozenset(flaw_at(fault.pointer, at_key=fault.at_key) for fault in faults)


def flaw_at(pointer: Pointer, *, at_key: bool = False) -> Flaw:
    """The flaw at a place, or at the list that has it as an item."""
    inside = pointer
    while inside and not isinstance(inside[-1], str):
        inside = inside[:-1]
    return Flaw(inside, at_key and inside == pointer)


def _hide_identity(flaws: Iterable[Flaw]) -> bool:
    """Whether a flaw is the object itself, or what identifies it."""
    return any(own[: len(flaw.pointer)] == flaw.pointer for flaw in flaws for own in _OWN)


def without_flaws(body: Mapping[str, Any], flaws: Collection[Flaw]) -> dict[str, Any]:
    """The object without its flaws."""
    removed = frozenset(flaw.pointer for flaw in flaws)
    return _without(body, (), removed)  # type: ignore[no-any-return]


def _without(value: Any, place: Pointer, removed: Collection[Pointer]) -> Any:
    if isinstance(value, dict):
        inside = ((key, item, (*place, key)) for key, item in children(value))
        return {key: _without(item, below, removed) for key, item, below in inside if below not in removed}
    if isinstance(value, list):
        return [_without(item, (*place, index), removed) for index, item in children(value)]
    return value
