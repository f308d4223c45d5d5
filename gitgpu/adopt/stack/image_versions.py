"""The version of an image, as the catalog knows it."""

import re
from collections.abc import Mapping
from typing import Any

from gitgpu.model.catalog import Catalog
from gitgpu.model.software.digests import version_of_digest
from gitgpu.model.software.registries import public_hosts
from gitgpu.model.syntax.image import image_fault, split_host
from gitgpu.model.syntax.reference import reference

_FLAVOUR = re.compile(r"-(ubuntu[\d.]+|ubi\d+|distroless)$")  # the base of an image, which NVIDIA adds to its tags
_REBUILD = re.compile(r"-\d+$")  # Microsoft's registry numbers the rebuilds of a version
_MICROSOFT = "mcr.microsoft.com/"


def tag_of(image: str) -> str:
    """The tag of an image; "" without one."""
    return image.rpartition("/")[2].partition("@")[0].partition(":")[2]


def version_tag(image: str) -> str:
    """The tag of an image without the number of Microsoft's rebuild."""
    tag = tag_of(image)
    return _REBUILD.sub("", tag) if image.startswith(_MICROSOFT) else tag


def known_version(software: str, image: str, catalog: Catalog) -> str:
    """The version of an image in the catalog; "" if it has none."""
    # A digest is exact, while a tag can move.
    digest = image.rpartition("/")[2].partition("@")[2]
    pin = version_of_digest(software, digest, catalog) if digest else ""
    return pin or _tag_version(image, catalog.versions(software))


def why_copy_stays(software: str, image: str, catalog: Catalog) -> str:
    """Why a copy in a registry of one's own stays, if `registry.name` cannot say how it is called; "" otherwise."""
    if image_fault(image):
        return ""
    public, name = catalog.must("containers", software)["repository"], reference(image).repository
    host, _ = split_host(name)
    if host in public_hosts(catalog) or name.endswith(f"/{public.partition('/')[2]}"):
        return ""
    reason = f"registry.name cannot express the name of its image, {name}, and a build would pull {public}"
    return f"{reason}: it stays as it is"


def _tag_version(image: str, versions: Mapping[str, Any]) -> str:
    """The version of an image: its tag, or one that differs only in the base image or Microsoft's rebuild number."""
    tag, built = tag_of(image), version_tag(image)
    if tag in versions:
        return tag
    return next((name for name in versions if _FLAVOUR.sub("", name) == _FLAVOUR.sub("", built)), "")
