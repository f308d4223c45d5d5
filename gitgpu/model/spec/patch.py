"""A patch of generated objects in the spec."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.model.spec.origin import Origin
from gitgpu.source import Pointer, Span


class Patch(NamedTuple):
    """`target` selects objects as in Kustomize; `change` is a mapping to merge, or a list of operations.

    `at` is the place of the patch in the document of `origin`.
    """

    target: Mapping[str, str]
    change: Any
    origin: Origin
    at: Pointer

    @property
    def span(self) -> Span:
        """The place of the patch."""
        return self.origin.span(self.at)

    def place(self, *path: str | int) -> Span:
        """The place of a part of the patch; for a value that is not written, that of its key."""
        return self.origin.span((*self.at, *path))


def patches(written: Sequence[Mapping[str, Any]], origin: Origin, pointer: Pointer) -> tuple[Patch, ...]:
    """The patches in a list that a document has at a place."""
    return tuple(
        Patch(entry["target"], entry["patch"], origin, (*pointer, index)) for index, entry in enumerate(written)
    )
