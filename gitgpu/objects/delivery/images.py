"""Kustomize's image transformer: a new name, tag or digest for the images of containers."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import rows, text_at

_LISTS = ("containers", "initContainers", "ephemeralContainers")


class Image(NamedTuple):
    """The transformation of images with one name. A part that is "" is kept."""

    name: str
    new_name: str
    tag: str
    digest: str


def images(spec: Any) -> tuple[Image, ...]:
    """The image transformers of a Flux Kustomization or a kustomization."""
    return tuple(_image(entry) for entry in rows(spec, "images") if text_at(entry, "name"))


def _image(entry: Mapping[str, Any]) -> Image:
    tag = str(entry.get("newTag") or "")
    return Image(text_at(entry, "name"), text_at(entry, "newName"), tag, text_at(entry, "digest"))


def written_images(texts: Iterable[Any]) -> tuple[Image, ...]:
    """The images in an Argo CD Application: NEW:TAG, or OLD=NEW:TAG with a different name. A digest follows an @."""
    parsed = []
    for text in texts:
        old, _, new = str(text).rpartition("=")
        rest, _, digest = new.partition("@")
        name, colon, tag = rest.rpartition(":")
        if not colon or "/" in tag:  # the colon of a registry's port
            name, tag = rest, ""
        parsed.append(Image(old or name, name, tag, digest))
    return tuple(parsed)


def replace_images(value: Any, image: Image) -> Any:
    """The value with the matching images of its containers replaced."""
    if isinstance(value, list):
        return [replace_images(entry, image) for entry in value]
    if not isinstance(value, Mapping):
        return value
    result = {key: replace_images(entry, image) for key, entry in value.items()}
    for key in _LISTS:
        for container in rows(result, key):
            if isinstance(container.get("image"), str):
                container["image"] = _renamed(container["image"], image)
    return result


def _renamed(text: str, image: Image) -> str:
    # Kustomize's pattern (api/internal/image/image.go), in which a tag may contain braces of a template.
    match = re.fullmatch(
        rf"{re.escape(image.name)}(?P<tag>:[\w.{{}}-]*)?(?P<digest>@sha256:[\w.{{}}-]*)?", text, re.ASCII
    )
    if match is None:
        return text
    rest = (match["tag"] or "") + (match["digest"] or "")
    if image.digest:
        rest = (f":{image.tag}" if image.tag else "") + f"@{image.digest}"
    elif image.tag:
        rest = f":{image.tag}"
    return (image.new_name or image.name) + rest
