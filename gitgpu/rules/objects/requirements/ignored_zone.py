"""A zone in a requirement that has no effect, because no node of the cluster can be in it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.label_values import yaml_value
from gitgpu.objects.node.node_pools import LabelRequirement, node_pools
from gitgpu.objects.node.zones import is_zone, regions_of, unknown_zone, zone_facts, zone_meant
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    facts = zone_facts(objects)
    for pool in node_pools(objects):
        for demand in pool.label_requirements:
            if demand.key != facts["key"] or demand.operator not in ("In", "NotIn"):
                continue
            for place, message, meant in _ignored(demand, facts["none"], objects):
                repair = Repair(Change.VALUE, place, yaml_value(meant)) if meant else None
                remedy = f"use {meant}" if meant else "list zones of the cluster's own region, such as eastus-1"
                yield Finding(pool.item, place, message, remedy, repair=repair)


def _ignored(demand: LabelRequirement, none: str, objects: Objects) -> Iterator[tuple[Pointer, str, str]]:
    right = [value for _, value in demand.values if is_zone(value, none)]
    effect = "so this excludes nothing" if demand.operator == "NotIn" else "so it is ignored"
    regions = regions_of(iter(right), none)
    for place, value in demand.values:
        region = value.rpartition("-")[0]
        if value not in right:
            if right or demand.operator == "NotIn":
                meant = zone_meant(value, objects)
                yield place, f"no node has the zone '{value}', {effect}", "" if meant in right else meant
        elif unknown_zone(value, objects):
            message = f"zone {value} may not exist: the catalog does not have it"
            yield place, message, ""
        elif demand.operator == "In" and value != none and region != regions[0]:
            message = f"zones of {regions[0]} and {region} in one list; a cluster has nodes in only one region"
            yield place, message, ""


RULE = Rule(
    code="NPL014",
    name="ignored-zone",
    severity=Severity.WARNING,
    summary="A NodePool lists a zone that no node of the cluster can be in.",
    help="A zone is named by region and number, such as eastus-1, and a cluster is in one region. Karpenter accepts "
    "other names silently: in an In they add nothing, in a NotIn they exclude nothing.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
        "https://learn.microsoft.com/azure/reliability/regions-list",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
