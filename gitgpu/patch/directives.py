"""Directives of strategic merge patches. Only `$patch` is supported, in a mapping or in a list merged by name."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.model.spec.patch import Patch
from gitgpu.objects.delivery.merge import DIRECTIVE
from gitgpu.patch.fault import fault
from gitgpu.source import Pointer

_VALUES = ("merge", "replace", "delete")


def directive_faults(patch: Patch) -> list[Diagnostic]:
    """The directives of a merge patch that gitgpu does not support."""
    return [fault("PAT005", patch, ("patch", *pointer), problem) for pointer, problem in _unsupported(patch.change, ())]


def _unsupported(value: Any, pointer: Pointer) -> Iterator[tuple[Pointer, Problem]]:
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _unsupported(entry, (*pointer, index))
    for key, below in value.items() if isinstance(value, Mapping) else ():
        place = (*pointer, key)
        if key == DIRECTIVE and not pointer:
            yield place, Problem("a patch cannot delete or replace an object as a whole", "remove $patch")
        elif key == DIRECTIVE and below not in _VALUES:
            remedy = f"use {', '.join(_VALUES[:-1])} or {_VALUES[-1]}"
            yield place, Problem(f"unknown value {below!r} of $patch", remedy)
        elif key.startswith("$") and key != DIRECTIVE:
            yield place, Problem(f"the directive {key} is not supported", "use JSON patch operations instead")
        else:
            yield from _unsupported(below, place)


def unread_directives(body: Any, pointer: Pointer = ()) -> Iterator[Pointer]:
    """The places of `$patch` in an object: they remain in lists that are replaced, and have no effect there."""
    if isinstance(body, list):
        for index, entry in enumerate(body):
            yield from unread_directives(entry, (*pointer, index))
    for key, below in body.items() if isinstance(body, Mapping) else ():
        if key == DIRECTIVE:
            yield (*pointer, key)
        else:
            yield from unread_directives(below, (*pointer, key))
