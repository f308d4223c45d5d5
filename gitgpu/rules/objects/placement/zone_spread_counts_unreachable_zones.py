"""A spread over zones that counts zones where the pods cannot run."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import Case, cases, within_limits
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("labels", "karpenter")["zones"]
    all_zones = set(chain.from_iterable(_zones(pool, row) for pool in node_pools(objects)))
    for case in cases(objects):
        replicas = case.pod.counted().low
        reachable = _reachable_zones(case, objects, row)
        unreachable = sorted(all_zones - reachable)
        for index, written in enumerate(case.pod.spec.get("topologySpreadConstraints") or ()):
            constraint: Mapping[str, Any] = written or {}
            if not (reachable and unreachable and _strict(constraint, row)):
                continue
            allowed_pods = constraint["maxSkew"] * len(reachable)
            if replicas > allowed_pods:
                where = "a node without a zone" if unreachable[0] == row["none"] else unreachable[0]
                message = (
                    f"the spread counts {where}, where this pod cannot run: only {allowed_pods} of {replicas} start"
                )
                remedy = f"select only the zones {', '.join(sorted(reachable))} in the node affinity of the pod"
                yield Finding(case.pod.item, (*case.pod.pointer, "topologySpreadConstraints", index), message, remedy)


def _strict(constraint: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether the constraint blocks pods, and counts zones of nodes regardless of their taints."""
    if not constraint.get("maxSkew") or constraint.get("topologyKey") != row["key"]:
        return False  # the API server rejects a maxSkew of 0
    strict = constraint.get("whenUnsatisfiable") == "DoNotSchedule"
    return strict and constraint.get("nodeTaintsPolicy") != "Honor" and not constraint.get("minDomains")


def _reachable_zones(case: Case, objects: Objects, row: Mapping[str, Any]) -> set[str]:
    """The zones of possible nodes for the pod; empty if the pod itself selects zones, or if any zone is possible."""
    if case.is_open or any(row["key"] in term for term in case.pod.terms()):
        return set()
    pools = [offer.pool for offer in within_limits(case, objects)]
    zones: set[str] = set()
    for pool in pools:
        required = pool.together.get(row["key"])
        # Without a list of zones, any zone of the region is possible.
        if required is None or required.complement:
            return set()
        zones.update(_zones(pool, row))
    return zones


def _zones(pool: NodePool, row: Mapping[str, Any]) -> set[str]:
    """The zones that nodes of a pool can have, including the value for regional nodes."""
    zone, scope = pool.together.get(row["key"]), pool.together.get(row["scope"]["key"])
    named = set(zone.values) if zone and not zone.complement else set()
    loose = (zone is None or zone.takes(row["none"])) and (scope is None or scope.takes(row["scope"]["regional"]))
    return named | {row["none"]} if loose else named


RULE = Rule(
    code="POD092",
    name="zone-spread-counts-unreachable-zones",
    severity=Severity.WARNING,
    summary="Pods are spread over zones, but other NodePools have nodes in zones where these pods cannot run.",
    help="Karpenter counts every zone in which any NodePool can have nodes; nodes without a zone count as one more "
    "zone. A zone in which the pod cannot run always has 0 pods, so every other zone is limited to maxSkew pods. No "
    "nodes are started for the rest.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/controllers/provisioning/scheduling/topologygroup.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1384",
    ),
    check=_check,
)
