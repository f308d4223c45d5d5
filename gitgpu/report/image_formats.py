"""The formats that list the images and charts of a fleet."""

from gitgpu import registry
from gitgpu.report import image_lists
from gitgpu.report.findings import Style
from gitgpu.report.images import ImageFormat, ImageList


def image_format_names() -> tuple[str, ...]:
    """The available formats, sorted; none of them is imported."""
    # Modules have underscores in their names; users write hyphens.
    return tuple(name.replace("_", "-") for name in registry.names(image_lists))


def render_images(image_list: ImageList, form: str, style: Style) -> str:
    """The list as text in one of `image_format_names()`."""
    return registry.load(image_lists, form.replace("-", "_"), "FORMAT", ImageFormat).render(image_list, style)
