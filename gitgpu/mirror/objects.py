"""The images that an object refers to, regardless of its kind."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.emit.mirror import KEYS
from gitgpu.model.names.kinds import APPLICATION, HELM_RELEASE
from gitgpu.model.syntax.image import image_fault
from gitgpu.model.syntax.reference import Reference, reference

_DELIVERY = (APPLICATION.kind, HELM_RELEASE.kind)  # what they install is listed by its chart
_PUSHED = "output"  # of a tuning: the image that it pushes
_DIGEST = "sha256:"


def object_images(body: Mapping[str, Any]) -> Iterator[Reference]:
    """The images of an object of the cluster."""
    if body["kind"] not in _DELIVERY:
        yield from _within(body)


def _within(value: Any) -> Iterator[Reference]:
    if isinstance(value, list):
        for entry in value:
            yield from _within(entry)
    if not isinstance(value, Mapping):
        return
    if "repository" in value and "image" in value:  # how NVIDIA's operators name an image
        version = str(value.get("version", ""))
        sign = "@" if version.startswith(_DIGEST) else ":"
        yield from _valid(f"{value['repository']}/{value['image']}{sign}{version}")
        return
    for key, below in value.items():
        if key in KEYS and isinstance(below, str):
            yield from _valid(below)
        elif key != _PUSHED:
            yield from _within(below)


def _valid(text: str) -> Iterator[Reference]:
    if not image_fault(text):
        yield reference(text)
