"""The registry from which a cluster gets images and charts."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Registry(NamedTuple):
    """The user's registry. None stands for settings that the spec does not have.

    `mirror` is the host and path before the name of an image, and `charts` the OCI URL before the name of a chart.
    `name` is the template of a copy's name below the mirror, such as {registry}/{repository}.
    """

    mirror: str | None = None
    pull_secret: str | None = None
    charts: str | None = None
    name: str | None = None


def registry(spec: Mapping[str, Any]) -> Registry:
    """The registry in a spec."""
    return Registry(spec.get("mirror"), spec.get("pullSecret"), spec.get("charts"), spec.get("name"))
