"""The region of a cluster, as its objects name it."""

from collections.abc import Iterable

from gitgpu.conform.objects import NODE_POOL, Item, mapping
from gitgpu.load.zones import regions_of_zones
from gitgpu.simulate.explain.admission import MANAGED_CLUSTER


def region_of(items: Iterable[Item]) -> str:
    """The region that the objects name: of an AKS cluster, or in the zones of NodePools; empty if there are several."""
    regions: set[str] = set()
    for item in items:
        spec, kind = mapping(item.body.get("spec")), (item.identity.group, item.identity.kind)
        if kind == MANAGED_CLUSTER and isinstance(spec.get("location"), str):
            regions.add(spec["location"].lower().replace(" ", ""))
        if kind == NODE_POOL and item.sound:
            regions |= regions_of_zones(spec["template"]["spec"]["requirements"])
    return regions.pop() if len(regions) == 1 else ""
