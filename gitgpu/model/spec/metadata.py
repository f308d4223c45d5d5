"""The labels and annotations of a document."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Metadata(NamedTuple):
    """Labels and annotations for the metadata of the objects that are made from a document."""

    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}


def metadata(meta: Mapping[str, Any]) -> Metadata:
    """The labels and annotations of a document's metadata."""
    return Metadata(meta.get("labels", {}), meta.get("annotations", {}))
