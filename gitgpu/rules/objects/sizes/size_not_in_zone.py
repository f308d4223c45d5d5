"""Zones that do not have the sizes of a NodePool."""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import ZONE_LABEL
from gitgpu.model.sku import Sku
from gitgpu.objects.node.candidate_sizes import candidates, is_decided, place, values
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names

ANYWHERE = "list other zones, or require karpenter.azure.com/placement-scope In [regional] instead of zones"


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        zones_by_region = _zones([zone for _, zone in values(pool, (ZONE_LABEL,))])
        # NPL014 reports zones of several regions.
        sizes = candidates(pool, objects) if len(zones_by_region) == 1 and is_decided(pool, objects) else ()
        if not sizes:
            continue
        for region, zones in zones_by_region.items():
            if all(_elsewhere(sku, region, zones) for sku in sizes):  # one size in one zone is enough
                names = join_names([sku.name for sku in sizes])
                message = f"Azure does not offer {names} in the zones of {region} that the NodePool requires"
                yield Finding(pool.item, place(pool, ZONE_LABEL), message, ANYWHERE)


def _zones(names: Sequence[str]) -> Mapping[str, list[str]]:
    """The zone numbers by region; empty if a VM without a zone is allowed."""
    by_region: dict[str, list[str]] = {}
    for name in names:
        region, dash, zone = name.rpartition("-")
        if not dash:
            return {}
        by_region.setdefault(region, []).append(zone)
    return by_region


def _elsewhere(sku: Sku, region: str, zones: Sequence[str]) -> bool:
    """Whether the size is known not to be in any of these zones."""
    available = sku.zones.get(region)
    return available is not None and not set(available) & set(zones)


RULE = Rule(
    code="NPS010",
    name="size-not-in-zone",
    severity=Severity.ERROR,
    summary="A NodePool requires zones where Azure does not offer its sizes.",
    help="Azure offers many GPU sizes only in some zones of a region. Karpenter has no offering for a size in the "
    "other zones, so no node starts and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
        "https://learn.microsoft.com/azure/reliability/regions-list",
    ),
    check=_check,
)
