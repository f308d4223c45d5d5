"""A zone that the region or the size of a node pool does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import AgentPool, clusters, pools_of, region_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        region = region_of(cluster)
        for pool in pools_of(cluster, objects):
            for index, zone in enumerate(pool.spec.get("availabilityZones") or ()):
                if fault := _fault(pool, str(zone), region, objects):
                    yield Finding(pool.item, pool.place("availabilityZones", index), *fault)


def _fault(pool: AgentPool, zone: str, region: str, objects: Objects) -> tuple[str, str] | None:
    named_region, _, number = zone.rpartition("-")
    if named_region.isalnum() and number.isdigit():
        return f"{zone} is the name of a zone in labels of nodes; AKS numbers zones", f'use "{number}"'
    if not zone.isdigit():  # auto lets AKS choose
        return None
    row = objects.catalog.facts("regions", region)
    zones = row["zones"] if row else None
    if zones is not None and zone not in zones:
        here = f"use zones of the region: {', '.join(zones)}" if zones else "remove availabilityZones"
        return f"{region} has no zone {zone}" if zones else f"{region} has no availability zones", here
    for _, name, sku in pool.sizes(objects):
        available = sku.zones.get(region) if sku else None
        if available is not None and zone not in available:
            where = f"use {one_of([f'zone {each}' for each in available])}" if available else "remove availabilityZones"
            return f"Azure does not offer {name} in zone {zone} of {region}", f"{where}, or another size"
    return None


RULE = Rule(
    code="APL099",
    name="zone-not-available",
    twin="SKU006",
    severity=Severity.ERROR,
    summary="An AKS node pool requests a zone that its region does not have, or where Azure does not offer its size.",
    help="Azure offers many GPU sizes only in some zones of a region, and rejects the pool in the other zones.",
    sources=(
        "https://learn.microsoft.com/azure/reliability/regions-list",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    facts=("skus", "regions"),
    check=_check,
)
