"""Where a value of the spec comes from."""

from typing import NamedTuple

from gitgpu.diagnostic import ObjectRef
from gitgpu.source import Pointer, SourceMap, Span


class SpecObject(NamedTuple):
    """An object of the spec that others are made from, and where it begins, with the file as headers name it."""

    span: Span
    ref: ObjectRef


class Origin(NamedTuple):
    """The document that a value comes from. `label` is the file's name in generated headers."""

    places: SourceMap
    label: str
    ref: ObjectRef

    def span(self, pointer: Pointer = (), *, key: bool = False) -> Span:
        """Where a value of the document stands, as people name the file."""
        return self.places.span(pointer, key=key)

    @property
    def mark(self) -> SpecObject:
        """The object, and where its document begins, as generated headers name the file."""
        return SpecObject(self.places.span()._replace(file=self.label), self.ref)
