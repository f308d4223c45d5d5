"""Whether two definitions of one object apply the same content."""

from collections.abc import Hashable, Mapping
from typing import Any

from gitgpu.load.null_fields import without_null
from gitgpu.objects.indexes import freeze


def same_content(first: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether they are equal, apart from null fields and from the namespace, which a kustomization can set instead."""
    # Copies share their data.
    return first is other or bool(_content(first) == _content(other))


def hashable(body: Mapping[str, Any]) -> Hashable:
    """A value that is equal for two definitions if their content is the same."""
    return freeze(_content(body))


def _content(body: Mapping[str, Any]) -> Any:
    metadata = body.get("metadata")
    if isinstance(metadata, Mapping) and "namespace" in metadata:
        body = {**body, "metadata": {key: value for key, value in metadata.items() if key != "namespace"}}
    return without_null(body)
