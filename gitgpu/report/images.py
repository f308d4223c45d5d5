"""The images and charts that a fleet needs, and what a format that lists them is."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gitgpu.mirror import Needed
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
