"""The types of values on the way to the pods of a kind: a value of another type would hide the pods below it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import MAPPING
from gitgpu.source import Pointer

# What keys must have: a mapping, a list with what its elements must be (empty: anything), or a COUNT.
Structure: TypeAlias = Mapping[str, Any]

COUNT = 0  # stands for a whole number that is not negative
EACH = "*"  # stands for the keys that an object names
AMOUNTS: Structure = {"limits": {}, "requests": {}}
METADATA: Structure = {"labels": {}, "annotations": {}}


class Misfit(NamedTuple):
    """The place of a value, the value, and what it must be."""

    pointer: Pointer
    value: Any
    wanted: str


def misfits(structure: Structure | list[Any] | int, value: Any, at: Pointer) -> Iterator[Misfit]:
    """The values that are not what the structure says. What is absent, or replaced before it is applied, fits."""
    if value is None or _is_filled_in(value):
        return
    if isinstance(structure, int):
        if not _is_count(value):
            yield Misfit(at, value, "a whole number, at least 0")
    elif isinstance(structure, list):
        if not isinstance(value, list):
            yield Misfit(at, value, "a list")
            return
        for index, element in enumerate(value if structure else ()):
            yield from misfits(structure[0], element, (*at, index))
    elif not isinstance(value, MAPPING):
        yield Misfit(at, value, "a mapping")
    else:
        for key, below in value.items():
            inside = structure.get(key, structure.get(EACH))
            if inside is not None:
                yield from misfits(inside, below, (*at, key))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_filled_in(value: Any) -> bool:
    """Whether a text has an expression that a controller, Flux or Helm replaces."""
    return isinstance(value, str) and any(mark in value for mark in ("{{", "$(", "${"))
