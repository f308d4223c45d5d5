"""The labels and annotations of an object that its owner has set, not a tool."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.adopt.field_outcomes import OF_TOOLS
from gitgpu.model.names.prefixes import GITGPU_PREFIX

_RESERVED = (GITGPU_PREFIX,)


def own_labels(body: Mapping[str, Any]) -> dict[str, str]:
    """The labels of the object, without labels that tools set."""
    return _own(reach(body, "metadata", "labels"))


def own_annotations(body: Mapping[str, Any]) -> dict[str, str]:
    """The annotations of the object, without annotations that tools set."""
    return _own(reach(body, "metadata", "annotations"))


def _own(entries: Any) -> dict[str, str]:
    kept = entries.items() if isinstance(entries, Mapping) else ()
    return {key: str(value) for key, value in kept if not key.startswith((*OF_TOOLS, *_RESERVED))}
