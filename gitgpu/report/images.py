"""The images and charts of a fleet, and the formats that list them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gitgpu import registry
from gitgpu.mirror import Needed
from gitgpu.report import image_lists
from gitgpu.report.findings import Style


class ImageList(NamedTuple):
    """The images and charts that are needed, and the registries that get copies.

    `azure` has the name of each registry in Azure by its host; "" for a registry that is not in Azure.
    """

    needed: Needed
    azure: Mapping[str, str]


class ImageFormat(NamedTuple):
    """An output format of the images that a fleet needs."""

    name: str
    render: Callable[[ImageList, Style], str]


def image_format_names() -> tuple[str, ...]:
    """The available formats, sorted; none of them is imported."""
    # Modules have underscores in their names; users write hyphens.
    return tuple(name.replace("_", "-") for name in registry.names(image_lists))


def render_images(image_list: ImageList, form: str, style: Style) -> str:
    """The list as text in one of `image_format_names()`."""
    return registry.load(image_lists, form.replace("-", "_"), "FORMAT", ImageFormat).render(image_list, style)
