"""A requirement on zones in a spelling that no node has."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.label_values import yaml_value
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.node.zones import is_zone, zone_facts, zone_meant
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_FORM = "use the region in lowercase, a hyphen and the zone number, such as eastus-1"


def _check(objects: Objects) -> Iterator[Finding]:
    facts = zone_facts(objects)
    for pool in node_pools(objects):
        for demand in pool.label_requirements:
            if demand.key != facts["key"] or demand.operator != "In":
                continue
            if any(is_zone(value, facts["none"]) for _, value in demand.values):
                continue  # NPL014 reports the others
            for place, value in demand.values:
                meant = zone_meant(value, objects)
                repair = Repair(Change.VALUE, place, yaml_value(meant)) if meant else None
                remedy = f"use {meant}" if meant else _FORM
                yield Finding(pool.item, place, f"no node has the zone '{value}'", remedy, repair=repair)


RULE = Rule(
    code="NPL013",
    name="misspelt-zone",
    severity=Severity.ERROR,
    summary="A NodePool requires zones with names that no node on AKS has.",
    help="A zone is named by its region in lower case, a hyphen and its number; 0 is for VMs without a zone. The "
    "number alone, as in Azure's own API, matches nothing, and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    facts=("labels/karpenter",),
    check=_check,
    fixable=True,
)
