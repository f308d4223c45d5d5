"""A spread over zones that the pods' nodes are never in."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.node.node_pools import NodePool, node_pools
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.placement import Case, allowed, cases
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-family, operator: In, values: [D]}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
      - {key: topology.kubernetes.io/zone, operator: In, values: [eastus-1, eastus-2]}
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: 4
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      nodeSelector: {karpenter.sh/nodepool: a100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      topologySpreadConstraints:
      - topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: DoNotSchedule
        maxSkew: 1
        labelSelector: {matchLabels: {app: chat}}
      containers:
      - name: main
        image: contoso.azurecr.io/chat:1.0
        resources: {limits: {nvidia.com/gpu: 1}}
"""
AFFINITY = (
    "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: ["
    "{key: topology.kubernetes.io/zone, operator: In, values: [eastus-1, eastus-2]}]}]}}}"
)


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("labels", "karpenter")["zones"]
    every = {zone for pool in node_pools(objects) for zone in _zones(pool, row)}
    for case in cases(objects):
        replicas = reach(case.pod.item.body, "spec", "replicas")
        own = _own(case, objects, row)
        beyond = sorted(every - own)
        for at, one in enumerate(case.pod.spec.get("topologySpreadConstraints") or ()):
            skew = one.get("maxSkew")
            if own and beyond and _strict(one, row) and isinstance(replicas, int) and replicas > skew * len(own):
                where = "a node without a zone" if beyond[0] == row["none"] else beyond[0]
                message = f"the spread counts {where}, where this pod never is: of {replicas} {skew * len(own)} start"
                remedy = f"require {', '.join(sorted(own))} in the pod's node affinity"
                yield Finding(case.pod.item, (*case.pod.pointer, "topologySpreadConstraints", at), message, remedy)


def _strict(one: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Does a spread over zones hold pods back, and count zones of nodes with any taints?"""
    same = one.get("topologyKey") == row["key"] and one.get("whenUnsatisfiable") == "DoNotSchedule"
    return same and one.get("nodeTaintsPolicy") != "Honor" and not one.get("minDomains")


def _own(case: Case, objects: Objects, row: Mapping[str, Any]) -> set[str]:
    """The zones that nodes for the pod may be in; none where the pod itself says, or where it may be any."""
    if case.is_open or any(row["key"] in term for term in case.pod.terms()):
        return set()
    pools = [one.pool for one in allowed(case, objects)]
    pinned = all((zone := pool.together.get(row["key"])) and not zone.complement for pool in pools)
    return {zone for pool in pools for zone in _zones(pool, row)} if pinned else set()


def _zones(pool: NodePool, row: Mapping[str, Any]) -> set[str]:
    """The zones that the nodes of a pool are known to have, among them that of nodes without one."""
    zone, scope = pool.together.get(row["key"]), pool.together.get(row["scope"]["key"])
    named = set(zone.values) if zone and not zone.complement else set()
    loose = (zone is None or zone.takes(row["none"])) and (scope is None or scope.takes(row["scope"]["regional"]))
    return named | {row["none"]} if loose else named


RULE = Rule(
    code="POD092",
    name="spread-that-stops",
    severity=Severity.WARNING,
    summary="Pods are to be spread evenly over zones, and other NodePools have nodes in zones where these never are.",
    help="Karpenter counts every zone that any NodePool may have nodes in, and no zone is one of them. Where no pod "
    "can be none ever is, so no other zone may have more than maxSkew: the rest of the pods start no nodes.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/controllers/provisioning/scheduling/topologygroup.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1384",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("      tolerations", f"      affinity: {AFFINITY}\n      tolerations"),
)
