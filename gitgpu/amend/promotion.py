"""What one ring of a fleet has and the next one does not: the difference between their stacks, as values to write."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.amend.assignment import Absent, Assignment, child, is_branch
from gitgpu.load.spec.shape import Document
from gitgpu.source import Pointer

VERSIONS: Pointer = ("versions",)


def promotion(fleet: Document, source: int, target: int, keys: Sequence[Pointer]) -> list[Assignment]:
    """What the stack of the target ring must say to be what the source ring has, below these keys of the stack.

    What both inherit from the defaults of the fleet stays there: a key that the source does not set is taken out.
    """
    rings = fleet.data["spec"]["rings"]
    stacks = [rings[source].get("stack", {}), rings[target].get("stack", {})]
    shared = fleet.data["spec"].get("defaults", {}).get("stack", {})
    found: dict[Pointer, Any] = {}
    for key in keys:
        sides = (_at(stacks[0], key), _at(stacks[1], key), _at(shared, key))
        found |= dict(_differences(*sides, key))
    return [
        Assignment(fleet, ("spec", "rings", target, "stack", *path), value) for path, value in sorted(found.items())
    ]


def _at(stack: Any, key: Pointer) -> Any:
    for part in key:
        stack = child(stack, part)
    return stack


def _differences(here: Any, there: Any, shared: Any, path: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """The values that one side must get to be like the other; `shared` is what both have where they say nothing."""
    if _is_mapping(here) and _is_mapping(there) and (is_branch(here) or is_branch(there)):
        keys = dict.fromkeys((*_keys(here), *_keys(there)))
        for key in keys:
            yield from _differences(child(here, key), child(there, key), child(shared, key), (*path, key))
    elif _effective(here, shared) != _effective(there, shared):
        yield path, here


def _is_mapping(value: Any) -> bool:
    return value is Absent.ABSENT or isinstance(value, Mapping)


def _keys(value: Any) -> Sequence[str]:
    return tuple(value) if isinstance(value, Mapping) else ()


def _effective(value: Any, shared: Any) -> Any:
    """An empty mapping adds nothing to another one."""
    is_inherited = value is Absent.ABSENT or (value == {} and isinstance(shared, Mapping))
    return shared if is_inherited else value
