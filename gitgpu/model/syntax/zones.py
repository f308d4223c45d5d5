"""Zones as Kubernetes names them: eastus-1."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.model.names.labels import ZONE_LABEL


def regions_of_zones(requirements: Iterable[Mapping[str, Any]]) -> set[str]:
    """The regions of the zones in requirements of a NodePool. Values that are not zones are ignored."""
    regions: set[str] = set()
    for requirement in requirements:
        zones = requirement.get("values")
        if requirement.get("key") == ZONE_LABEL and isinstance(zones, list | tuple):
            regions.update(str(zone).rpartition("-")[0] for zone in zones)
    return regions - {""}
