"""Which part of a patch writes a value of an object."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import value_at
from gitgpu.model.spec.patch import Patch
from gitgpu.objects.delivery.jsonpatch import steps_of
from gitgpu.objects.delivery.merge import matching_entry
from gitgpu.source import Pointer, Span


class Locator(NamedTuple):
    """Finds the places of values. `operation` is the one that changes the object, `body` the object after it.

    A merge patch counts as one operation.
    """

    patch: Patch
    operation: int
    body: Mapping[str, Any]

    def locate(self, pointer: Pointer) -> tuple[Span, Span]:
        """The place of a value in the spec, and that of its key."""
        place = (*self.patch.at, *self.within(pointer))
        return self.patch.origin.span(place), self.patch.origin.span(place, key=True)

    def within(self, pointer: Pointer) -> Pointer:
        """The pointer within the patch of the value that it writes at a pointer of the object."""
        if isinstance(self.patch.change, dict):
            return ("patch", *_reached(self.patch.change, self.body, pointer))
        made_by = self.patch.change[self.operation]
        depth = len(steps_of(made_by["path"]))
        if "value" not in made_by or len(pointer) < depth:
            return ("patch", self.operation, "path")
        value, whole = made_by["value"], value_at(self.body, pointer[:depth])
        return ("patch", self.operation, "value", *_reached(value, whole, pointer[depth:]))


def _reached(written: Any, whole: Any, pointer: Pointer) -> Iterator[str | int]:
    """The steps of a pointer into what is written, as far as they exist; `whole` is the value that contains it now."""
    for part in pointer:
        step: str | int = part
        if isinstance(written, list):
            index = matching_entry(written, value_at(whole, (part,)))
            if index is None:
                return
            step = index
        elif not isinstance(written, dict) or part not in written:
            return
        yield step
        written, whole = written[step], value_at(whole, (part,))
