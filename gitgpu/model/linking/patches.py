"""The patches of a document, with their places in the document or its defaults."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.load.spec.shape import Document
from gitgpu.model import decode
from gitgpu.model.spec.origin import Layer
from gitgpu.model.spec.patch import Patch, patches
from gitgpu.source import Pointer

_PLACE: Pointer = ("spec", "patches")


def patches_of(document: Document, spec: Mapping[str, Any], defaults: Sequence[Layer] = ()) -> tuple[Patch, ...]:
    """The patches of a normalised spec. `defaults` are the layers below it, highest precedence first."""
    document_origin, written = decode.origin(document), spec.get("patches", ())
    layer = next((layer for layer in defaults if layer.holds(_PLACE[1:])), None)
    if layer is None or document_origin.holds(_PLACE):
        return patches(written, document_origin, document_origin.place_of(_PLACE))
    return patches(written, layer.origin, (*layer.at, *_PLACE[1:]))
