"""Finds the region that the objects of a cluster name."""

from collections.abc import Iterable

from gitgpu.access import mapping_at, text_at
from gitgpu.model.names.kinds import MANAGED_CLUSTER, NODE, NODE_CLAIM, NODE_POOL
from gitgpu.model.names.labels import ZONE_LABEL
from gitgpu.model.syntax.zones import regions_of_zones
from gitgpu.objects.objects import Item


def region_of(items: Iterable[Item]) -> str:
    """The region of the AKS cluster, or of the zones in NodePools; empty if there is none or there are several."""
    regions: set[str] = set()
    for item in items:
        spec, kind = mapping_at(item.body, "spec"), (item.identity.group, item.identity.kind)
        if kind == MANAGED_CLUSTER and isinstance(spec.get("location"), str):
            regions.add(spec["location"].lower().replace(" ", ""))
        if kind == NODE_POOL and item.sound:
            regions |= regions_of_zones(spec["template"]["spec"]["requirements"])
    return regions.pop() if len(regions) == 1 else ""


def region_of_nodes(items: Iterable[Item]) -> str:
    """The region in the zones of nodes and NodeClaims; empty if there is none or there are several."""
    nodes = (item for item in items if item.identity[:2] in (NODE, NODE_CLAIM))
    zones = (text_at(item.body, "metadata", "labels", ZONE_LABEL) for item in nodes)
    regions = {zone.rpartition("-")[0] for zone in zones} - {""}
    return regions.pop() if len(regions) == 1 else ""
