"""The NodePools of a built fleet, as data for programs that make the same ones in their own way."""

from collections.abc import Mapping
from typing import Any

from gitgpu.load.text import Text
from gitgpu.load.yaml import parse


def nodepools(texts: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """The NodePools of each cluster, from the texts of its files by path."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path, text in texts.items():
        cluster, _, name = path.partition("/")
        if name.startswith("nodes/nodepool-"):
            found.setdefault(cluster, []).append(parse(Text(path, text, path))[0][0].data)
    return found
