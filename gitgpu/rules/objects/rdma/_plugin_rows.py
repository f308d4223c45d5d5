"""The JSON configurations of the device plugins in a NicClusterPolicy."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.objects.objects import Item
from gitgpu.source import Pointer

# The SR-IOV device plugin and the RDMA shared device plugin, with the keys of their JSON.
_PLUGINS = (("sriovDevicePlugin", "resourceList"), ("rdmaSharedDevicePlugin", "configList"))


def plugin_rows(policy: Item) -> Iterator[tuple[Item, Pointer, list[Mapping[str, Any]] | None]]:
    """The resources that each device plugin of a policy defines; None if its configuration cannot be read."""
    for plugin, listing in _PLUGINS:
        text = reach(policy.body, "spec", plugin, "config")
        if isinstance(text, str) and text.strip():
            yield policy, ("spec", plugin, "config"), _rows(text, listing)


def _rows(text: str, listing: str) -> list[Mapping[str, Any]] | None:
    try:
        read: Any = json.loads(text)
    except ValueError:
        return None
    rows = read.get(listing) if isinstance(read, dict) else None
    return rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else None
