"""Where a value in the spec comes from."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import ObjectRef
from gitgpu.load.parse.lazy_source_map import LazySourceMap
from gitgpu.load.spec.merge_patch import Overlay, last_write
from gitgpu.source import Pointer, SourceMap, Span


class SpecObject(NamedTuple):
    """An object in the spec that others are made from, and where it begins. The file is named as in headers.

    `part` is the part of the object, such as "ring canary"; "" for all of it.
    """

    span: Span
    ref: ObjectRef
    part: str = ""


class Origin(NamedTuple):
    """The document that a value comes from. `mark` is the object in it, with the file as generated headers name it.

    `overlays` are the overrides that apply, in order; `defaults` are the defaults from other documents, highest
    precedence first.
    """

    places: SourceMap | LazySourceMap
    mark: SpecObject
    overlays: tuple[Overlay, ...] = ()
    defaults: "tuple[Layer, ...]" = ()

    @property
    def ref(self) -> ObjectRef:
        """The kind and the name of the object."""
        return self.mark.ref

    def span(self, pointer: Pointer = (), *, key: bool = False) -> Span:
        """The place of a value in the document."""
        return self.places.span(pointer, key=key)

    def place_of(self, pointer: Pointer) -> Pointer:
        """Where the document writes a value: in the last override that sets it, or else at the pointer itself."""
        override = last_write(self.overlays, pointer)
        return override.at if override else pointer

    def place(self, pointer: Pointer) -> tuple[ObjectRef, Pointer]:
        """The object and the pointer that write a value. As unique as its span, which takes longer to find."""
        return self.ref, self.place_of(pointer)

    def holds(self, pointer: Pointer) -> bool:
        """Whether the document itself sets the value, so that no override removes it."""
        if not self.places.has(pointer):
            return False
        override = last_write(self.overlays, pointer) if self.overlays else None
        return override is None or override.value is not None


class SpecPlace(NamedTuple):
    """The place of a value in the spec: its document, and the pointer in it."""

    origin: Origin
    pointer: Pointer


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
        """Whether it sets the value of `spec.<path>`."""
        own = last_write((Overlay((), self.values),), ("spec", *path))
        return own is not None and own.at == path
