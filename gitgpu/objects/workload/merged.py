"""A strategic merge patch by a controller: part of an object, merged into a part of another one, with its places.

k8s.io/apimachinery/pkg/util/strategicpatch, for the lists of pods and JobSets.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import MAPPING
from gitgpu.objects.delivery.merge import KEYS
from gitgpu.objects.workload.shape import Moves
from gitgpu.source import Pointer

_KEYS: Mapping[str, tuple[str, ...]] = {**KEYS, "replicatedJobs": ("name",), "schedulingGates": ("name",)}


class Merged(NamedTuple):
    """A value with the patch in it, and where the values of the patch are written. All others keep their places."""

    value: Any
    moves: Moves


def merge_at(base: Any, patch: Any, at: Pointer, written: Pointer) -> Merged:
    """A value at a place with a patch that is written elsewhere: mappings by key, lists by their merge key."""
    if isinstance(base, MAPPING) and isinstance(patch, MAPPING):
        value = dict(base)
        moves: list[tuple[Pointer, Pointer]] = []
        for key, given in patch.items():
            part = merge_at(base.get(key), given, (*at, key), (*written, key))
            value[key] = part.value
            moves += part.moves
        return Merged(value, tuple(moves))
    if isinstance(base, list) and isinstance(patch, list) and at and at[-1] in _KEYS:
        return _elements(base, patch, at, written)
    return Merged(patch, ((at, written),))


def with_value(value: Any, at: Pointer, part: Any) -> Any:
    """The value with a part at a place in it."""
    if not at:
        return part
    key, *rest = at
    if isinstance(value, list) and isinstance(key, int):
        return [with_value(each, tuple(rest), part) if index == key else each for index, each in enumerate(value)]
    return {**(value or {}), key: with_value((value or {}).get(key), tuple(rest), part)}


def _elements(base: Sequence[Any], patch: Sequence[Any], at: Pointer, written: Pointer) -> Merged:
    elements = list(base)
    moves: list[tuple[Pointer, Pointer]] = []
    for number, given in enumerate(patch):
        index = next((place for place, other in enumerate(base) if _is_same(other, given, str(at[-1]))), len(elements))
        part = merge_at(elements[index] if index < len(elements) else None, given, (*at, index), (*written, number))
        elements[index : index + 1] = [part.value]
        moves += part.moves
    return Merged(elements, tuple(moves))


def _is_same(entry: Any, other: Any, of: str) -> bool:
    if not isinstance(entry, MAPPING) or not isinstance(other, MAPPING):
        return False
    return any(entry.get(key) is not None and entry.get(key) == other.get(key) for key in _KEYS[of])
