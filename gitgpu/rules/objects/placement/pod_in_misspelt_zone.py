"""A pod that requires a zone under a name that no node on AKS has."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.label_values import yaml_value
from gitgpu.objects.node.zones import is_zone, zone_facts, zone_meant
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule

_DIGITS = ("1", "2", "3")  # how Azure's API calls zones: no region of the catalog has a fourth one


def _check(objects: Objects) -> Iterator[Finding]:
    facts = zone_facts(objects)
    for pod in described_pods(objects):
        for requirement in required_labels(pod):
            if (requirement.key, requirement.operator) != (facts["key"], "In"):
                continue
            # One real zone is enough.
            if any(is_zone(value, facts["none"]) for _, value in requirement.values):
                continue
            for place, value in requirement.values:
                meant = zone_meant(value, objects)
                if meant or value in _DIGITS:
                    repair = Repair(Change.VALUE, place, yaml_value(meant)) if meant else None
                    remedy = f"use {meant}" if meant else f"add the region, such as eastus-{value}"
                    yield Finding(pod.item, place, f"no node has the zone '{value}'", remedy, repair=repair)


RULE = Rule(
    code="POD015",
    name="pod-in-misspelt-zone",
    severity=Severity.ERROR,
    summary="A pod requires a zone that is not written like the zone label of AKS nodes.",
    help="The value of the zone label is the region in lowercase, a hyphen and the number. The Azure API uses the "
    "number alone, which matches no node.",
    sources=(
        "https://learn.microsoft.com/azure/aks/availability-zones",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
    fixable=True,
)
