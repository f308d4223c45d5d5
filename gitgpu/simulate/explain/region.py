"""The region of a cluster, as its objects name it."""

from collections.abc import Iterable, Iterator
from typing import Any

from gitgpu.conform.objects import NODE_POOL, Item, mapping
from gitgpu.simulate.explain.admission import MANAGED_CLUSTER


def region_of(items: Iterable[Item]) -> str:
    """The region that the objects name: of an AKS cluster, or in the zones of NodePools; empty if there are several."""
    found: set[str] = set()
    for item in items:
        spec, kind = mapping(item.body.get("spec")), (item.identity.group, item.identity.kind)
        if kind == MANAGED_CLUSTER and isinstance(spec.get("location"), str):
            found.add(spec["location"].lower().replace(" ", ""))
        if kind == NODE_POOL and item.sound:
            wanted = spec["template"]["spec"].get("requirements") or ()
            for zone in (entry for entry in wanted if entry.get("key") == "topology.kubernetes.io/zone"):
                found.update(_regions(zone.get("values") or ()))
    return found.pop() if len(found) == 1 else ""


def _regions(zones: Iterable[Any]) -> Iterator[str]:
    """The regions of zone labels such as eastus-1; other values are skipped."""
    for zone in zones:
        region, dash, _ = str(zone).rpartition("-")
        if dash:
            yield region
