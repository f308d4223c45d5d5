"""Requirements on capacity type, zone and region that no VM can meet together."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import REGION_LABEL
from gitgpu.objects.node.node_pools import NodePool, node_pools
from gitgpu.objects.node.zones import is_zone
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("labels", "karpenter")
    for pool in node_pools(objects):
        for keys, remedy in _clashes(pool, row):
            places = [demand.place for demand in pool.label_requirements if demand.key == keys[-1]]
            message = f"no VM meets the requirements on {' and '.join(keys)} together"
            yield Finding(pool.item, places[-1], message, remedy)


def _clashes(pool: NodePool, row: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
    yield from _capacity_types(pool, row["offerings"])
    zones = row["zones"]
    if zones["key"] in pool.together:
        yield from _scopes(pool, zones)
        yield from _regions(pool, zones)


def _capacity_types(pool: NodePool, offerings: list[Mapping[str, str]]) -> Iterator[tuple[list[str], str]]:
    keys = [key for key in offerings[0] if key in pool.together]
    if len(keys) < 2:  # a conflict needs two, and most pools have only one
        return
    possible: set[str] = set()  # keys that some offering meets on their own
    for offering in offerings:
        met_keys = [key for key in keys if pool.together[key].takes(offering[key])]
        if len(met_keys) == len(keys):
            return
        possible.update(met_keys)
    if len(possible) == len(keys):  # NPL006 reports a value that no offering has
        yield keys, "keep only one of them, because they describe the same property"


def _scopes(pool: NodePool, zones: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
    scope, zone = pool.together.get(zones["scope"]["key"]), pool.together[zones["key"]]
    if scope is None or not (zone.values or zone.complement):  # NPL008 reports zones that leave none
        return
    outside = zone.takes(zones["none"]) and scope.takes(zones["scope"]["regional"])
    inside = bool(zone.complement or zone.values - {zones["none"]}) and scope.takes(zones["scope"]["zonal"])
    possible = any(scope.takes(zones["scope"][kind]) for kind in ("zonal", "regional"))
    if possible and not (outside or inside):
        remedy = (
            f"require {zones['scope']['zonal']} with zones, or {zones['scope']['regional']} with zone '{zones['none']}'"
        )
        yield [zones["key"], scope.key], remedy


def _regions(pool: NodePool, zones: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
    region, zone = pool.together.get(REGION_LABEL), pool.together[zones["key"]]
    # NPL013 and NPL014 report zones that cannot exist.
    if region is None or zone.complement or not all(is_zone(value, zones["none"]) for value in zone.values):
        return
    fits = any(value == zones["none"] or region.takes(value.rpartition("-")[0]) for value in zone.values)
    if zone.values and not fits and (region.values or region.complement):
        yield [region.key, zones["key"]], "list zones of that region, or remove the requirement on the region"


RULE = Rule(
    code="NPL009",
    name="conflicting-offering-labels",
    twin="SCH004",
    severity=Severity.ERROR,
    summary="A NodePool requires capacity types, zones or regions that contradict each other.",
    help="A VM has all of these labels at once: capacity type spot has priority spot, and a zone has the scope zonal "
    "and its own region. Each requirement alone is valid; together they leave no VM to start.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
