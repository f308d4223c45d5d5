"""Where a value of the spec comes from."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import ObjectRef
from gitgpu.load.parse.lazy_source_map import LazySourceMap
from gitgpu.load.spec.merge_patch import Overlay, written
from gitgpu.source import Pointer, SourceMap, Span


class SpecObject(NamedTuple):
    """An object of the spec that others are made from, and where it begins, with the file as headers name it.

    `part` is what of the object it is about, such as "ring canary"; "" for all of it.
    """

    span: Span
    ref: ObjectRef
    part: str = ""


class Origin(NamedTuple):
    """The document that a value comes from. `label` is the file's name in generated headers.

    `overlays` are its overrides that apply, in order; `defaults` the values that it leaves to other documents,
    strongest first.
    """

    places: SourceMap | LazySourceMap
    label: str
    ref: ObjectRef
    overlays: tuple[Overlay, ...] = ()
    defaults: "tuple[Layer, ...]" = ()

    def span(self, pointer: Pointer = (), *, key: bool = False) -> Span:
        """The place of a value of the document, with the file as people name it."""
        return self.places.span(pointer, key=key)

    def written(self, pointer: Pointer) -> Pointer:
        """Where the document writes a value: in the override that decides on it, else where the pointer says."""
        override = written(self.overlays, pointer)
        return override.at if override else pointer

    def place(self, pointer: Pointer) -> tuple[ObjectRef, Pointer]:
        """The object and the pointer that write a value: as unique as its span, which takes longer to find."""
        return self.ref, self.written(pointer)

    def holds(self, pointer: Pointer) -> bool:
        """Does the document itself write the value, and is no override that removes it the last word?"""
        if not self.places.has(pointer):
            return False
        override = written(self.overlays, pointer) if self.overlays else None
        return override is None or override.value is not None

    @property
    def mark(self) -> SpecObject:
        """The object, and where its document begins, as generated headers name the file."""
        return SpecObject(self.places.span()._replace(file=self.label), self.ref)


class Layer(NamedTuple):
    """Values for the spec of other documents: `values` are what the document writes at `at`.

    `part` names the part of the document, such as "ring canary"; "" for the document as a whole.
    """

    origin: Origin
    at: Pointer
    values: Mapping[str, Any]
    part: str = ""

    @property
    def mark(self) -> SpecObject:
        """The object that writes the values, or its part."""
        return self.origin.mark._replace(part=self.part)

    def holds(self, path: Pointer) -> bool:
        """Does it write the value of `spec.<path>`?"""
        own = written((Overlay((), self.values),), ("spec", *path))
        return own is not None and own.at == path
