"""Promotes one ring of a fleet to the next: the difference between their stacks, as values to write."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from gitgpu.load.spec.shape import Document
from gitgpu.runs.amend.assignment import Absent, Assignment, child, is_branch
from gitgpu.source import Pointer

VERSIONS: Pointer = ("versions",)


def promotion(fleet: Document, source: int, target: int, keys: Sequence[Pointer]) -> list[Assignment]:
    """What has to be set in the stack of the target ring to match the source ring, below these keys of the stack."""
    rings = fleet.data["spec"]["rings"]
    source_stack, target_stack = rings[source].get("stack", {}), rings[target].get("stack", {})
    shared = fleet.data["spec"].get("defaults", {}).get("stack", {})
    # Both rings inherit the defaults of the fleet, so a key that the source ring does not set is removed.
    changes: dict[Pointer, Any] = {}
    for key in keys:
        old, new, both = (reduce(child, key, stack) for stack in (target_stack, source_stack, shared))
        changes |= dict(_differences(new, old, both, key))
    return [
        Assignment(fleet, ("spec", "rings", target, "stack", *path), value) for path, value in sorted(changes.items())
    ]


def _differences(source: Any, target: Any, shared: Any, path: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """The values to set so that the target matches the source; `shared` is what both inherit."""
    if _is_mapping(source) and _is_mapping(target) and (is_branch(source) or is_branch(target)):
        keys = dict.fromkeys((*_keys(source), *_keys(target)))
        for key in keys:
            yield from _differences(child(source, key), child(target, key), child(shared, key), (*path, key))
    elif _effective(source, shared) != _effective(target, shared):
        yield path, source


def _is_mapping(value: Any) -> bool:
    return value is Absent.ABSENT or isinstance(value, Mapping)


def _keys(value: Any) -> Sequence[str]:
    return tuple(value) if isinstance(value, Mapping) else ()


def _effective(value: Any, shared: Any) -> Any:
    """The value after inheritance. An empty mapping adds nothing to the mapping that it inherits."""
    is_inherited = value is Absent.ABSENT or (value == {} and isinstance(shared, Mapping))
    return shared if is_inherited else value
