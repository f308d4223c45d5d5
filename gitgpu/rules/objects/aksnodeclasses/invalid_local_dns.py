"""LocalDNS overrides that the API server rejects."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

ROOT, CLUSTER = ".", "cluster.local"
FOR_NODES, FOR_PODS = "vnetDNSOverrides", "kubeDNSOverrides"
OF_VNET, OF_CLUSTER = "VnetDNS", "ClusterCoreDNS"


def _check(objects: Objects) -> Iterator[Finding]:
    for item, _ in node_classes(objects):
        for name in (FOR_NODES, FOR_PODS):
            place: Pointer = ("spec", "localDNS", name)
            zones = reach(item.body, *place)
            if zones is None:
                continue
            for key in _missing(zones):
                message = f"{name} has no override for zone '{key}'"
                yield Finding(item, place, message, f"add an override for zone: '{key}'")
            for index, zone in enumerate(zones):
                for field, message, right in _wrong(zone, name):
                    where = (*place, index, field)
                    # serveStale has two remedies, so there is no repair.
                    repair = Repair(Change.VALUE, where, right) if field == "forwardDestination" else None
                    yield Finding(item, where, message, f"use {right}", repair=repair)


def _missing(zones: Sequence[Mapping[str, Any]]) -> list[str]:
    written = {zone["zone"] for zone in zones}
    return [key for key in (ROOT, CLUSTER) if key not in written]


def _wrong(zone: Mapping[str, Any], name: str) -> Iterator[tuple[str, str, str]]:
    is_of_cluster, to = zone["zone"].endswith(CLUSTER), zone["forwardDestination"]
    if is_of_cluster and to == OF_VNET:
        yield "forwardDestination", f"the VNet's DNS cannot resolve the zone {zone['zone']}", OF_CLUSTER
    if name == FOR_NODES and not is_of_cluster and to == OF_CLUSTER:
        message = f"{name} cannot forward the zone {zone['zone']} to the cluster's DNS"
        yield "forwardDestination", message, OF_VNET
    if zone["serveStale"] == "Verify" and zone["protocol"] == "ForceTCP":
        yield (
            "serveStale",
            "serveStale: Verify is not supported with protocol: ForceTCP",
            "Immediate, or protocol: PreferUDP",
        )


RULE = Rule(
    code="ANC006",
    name="invalid-local-dns",
    severity=Severity.ERROR,
    rejects=True,
    summary="LocalDNS has no override for a zone that it needs, or forwards a zone to the wrong DNS server.",
    help="Both lists of overrides need the zones '.' and cluster.local. Names inside the cluster go to the cluster's "
    "DNS; other names that nodes look up go to the VNet's. The API server rejects anything else.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://learn.microsoft.com/azure/aks/localdns-custom",
    ),
    check=_check,
    fixable=True,
)
