"""Details of Karpenter's scheduler: zones tried in turn, ports, DaemonSets, aliases."""

from functools import partial

import pytest

from tests.helping.cases import for_each
from tests.simulate.worlds import (
    A100,
    A100X2,
    A100X4,
    CLASS,
    GPU,
    H100X8,
    NAME,
    POOL,
    T4,
    T4X4,
    ZONE,
    Body,
    daemon,
    deployment,
    forecast,
    only,
    pool,
    verdicts,
    wants,
)

REGION = "southcentralus"
CAPACITY = "karpenter.sh/capacity-type"


def spread(app: str, key: str = ZONE, **more: object) -> Body:
    """A required topology spread constraint."""
    chosen = {"labelSelector": {"matchLabels": {"app": app}}}
    return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", **chosen, **more}


def affinity(sort: str, app: str, key: str) -> Body:
    """A required pod affinity or anti-affinity."""
    term = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}
    return {sort: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def test_a_zone_in_which_the_size_is_not_available_is_skipped() -> None:
    """The size is available in zones 1 and 3 of the region, so the second replica goes to zone 3."""
    zonal = pool("a", A100, more=(wants("karpenter.azure.com/placement-scope", "In", "zonal"),))
    result = only(zonal, deployment("w", 2, topologySpreadConstraints=[spread("w")]), region=REGION)
    assert (result.verdict, result.zones) == ("schedulable", (f"{REGION}-1", f"{REGION}-3"))
    assert only(zonal, deployment("w", 3, topologySpreadConstraints=[spread("w")]), region=REGION).high.placed == 2


def test_a_node_stays_in_the_zone_in_which_its_pods_were_counted() -> None:
    """The third pod waits until the zone of `near` is decided, and follows it to zone 2. Until then `first` counts in
    zone 1. Its node has a free GPU, but can no longer be in zone 2.
    """
    west = pool("west", A100X2, more=(wants(ZONE, "In", "eastus-1", "eastus-2"),))
    east = pool("east", A100, more=(wants(ZONE, "In", "eastus-2", "eastus-3"),))
    others = [deployment("first", nodeSelector={POOL: "west"}), deployment("near", nodeSelector={POOL: "east"})]
    rules: Body = {"affinity": affinity("podAffinity", "near", ZONE), "topologySpreadConstraints": [spread("first")]}
    result = forecast(CLASS, west, east, *others, deployment("third", **rules))
    assert {verdict.name: verdict.zones for verdict in result.verdicts}["third"] == ("eastus-2",)
    assert len(result.high) == 3


def labelled(body: Body, app: str) -> Body:
    """A Deployment whose pods have this label."""
    body["spec"]["template"]["metadata"]["labels"]["app"] = app
    body["spec"]["selector"]["matchLabels"]["app"] = app
    return body


def test_pods_outside_the_pods_own_selector_do_not_count() -> None:
    """Three pods of the app on nodes of another team do not affect the spread."""
    pools = [pool(team, A100, labels={"team": team}) for team in ("a", "b")]
    other = deployment("first", 3, nodeSelector={"team": "a", ZONE: "eastus-1"})
    chosen: Body = {"nodeSelector": {"team": "b", ZONE: "eastus-1"}, "topologySpreadConstraints": [spread("x")]}
    by_name = verdicts(*pools, labelled(other, "x"), labelled(deployment("second", **chosen), "x"))
    assert by_name["second"].verdict == "schedulable"


def test_a_zone_of_the_pool_counts_although_no_size_is_available_there() -> None:
    zones = wants(ZONE, "In", "eastus-1", "eastus-9")
    result = only(pool("a", A100, more=(zones,)), deployment("w", 2, topologySpreadConstraints=[spread("w")]))
    assert (result.verdict, result.high.placed) == ("unschedulable", 1)


def test_pods_with_anti_affinity_by_zone_use_a_zone_each() -> None:
    rule = affinity("podAntiAffinity", "w", ZONE)
    zones = wants(ZONE, "In", "eastus-1", "eastus-2")
    result = only(pool("h", H100X8, more=(zones,)), deployment("w", 3, affinity=rule))
    assert (result.high.placed, sorted(result.zones)) == (2, ["eastus-1", "eastus-2"])


@pytest.mark.parametrize(("policy", "placed"), [("Honor", 4), ("Ignore", 1), (None, 1)])
def test_a_spread_counts_nodes_that_the_pod_may_not_be_on(policy: str | None, placed: int) -> None:
    """Only with Honor does it exclude the zone of a pool whose taint the pod does not tolerate."""
    here = pool("a", H100X8, more=(wants(ZONE, "In", "eastus-1"),))
    there = pool("b", H100X8, more=(wants(ZONE, "In", "eastus-2"),), taints=[{"key": "other", "effect": "NoSchedule"}])
    rules = [spread("w", **({"nodeTaintsPolicy": policy} if policy else {}))]
    chosen = deployment("w", 4, topologySpreadConstraints=rules, tolerations=[{"key": "sku", "operator": "Exists"}])
    assert only(here, there, chosen).high.placed == placed


def test_two_constraints_on_zones_apply_together() -> None:
    """Only one zone has pods that match the affinity, and there the second replica would be next to the first."""
    near, apart = affinity("podAffinity", "first", ZONE), affinity("podAntiAffinity", "second", ZONE)
    zones = wants(ZONE, "In", "eastus-1", "eastus-2")
    first = deployment("first", nodeSelector={ZONE: "eastus-1"})
    second = deployment("second", 2, affinity={**near, **apart})
    result = verdicts(pool("h", H100X8, more=(zones,)), first, second)["second"]
    assert (result.high.placed, result.zones) == (1, ("eastus-1",))


def test_a_node_that_a_spread_excludes_can_be_used_again_later() -> None:
    """Each replica closes its zone until the other zone has one more. Sixteen replicas alternate between two nodes."""
    zones = wants(ZONE, "In", "eastus-1", "eastus-2")
    rules = [spread("w")]
    result = only(pool("h", H100X8, more=(zones,)), deployment("w", 16, topologySpreadConstraints=rules))
    assert (result.high.placed, result.high.nodes) == (16, 2)


def test_too_few_zones_count_as_if_one_were_empty() -> None:
    """If minDomains exceeds the number of zones, no zone gets more than maxSkew pods."""
    zones, rules = wants(ZONE, "In", "eastus-1", "eastus-2"), [spread("w", minDomains=3)]
    result = only(pool("h", H100X8, more=(zones,)), deployment("w", 4, topologySpreadConstraints=rules))
    assert (result.verdict, result.high.placed) == ("unschedulable", 2)


def test_pods_with_required_affinity_share_a_node() -> None:
    rule = affinity("podAffinity", "w", "kubernetes.io/hostname")
    result = only(pool("h", H100X8, T4X4), deployment("w", 8, affinity=rule))
    assert (result.verdict, result.high.nodes) == ("schedulable", 1)
    assert only(pool("h", H100X8), deployment("w", 9, affinity=rule)).high.placed == 8


@pytest.mark.parametrize(("key", "values"), [(CAPACITY, 2), (ZONE, 3), ("karpenter.azure.com/placement-scope", 2)])
def test_min_values_count_what_the_offerings_have(key: str, values: int) -> None:
    """Every zone and capacity type of a size counts, even if the pool excludes it."""
    result = only(pool("a", A100, more=(wants(key, "Exists", least=values),)), deployment("w"))
    assert result.verdict == "schedulable"
    more = only(pool("a", A100, more=(wants(key, "Exists", least=values + 3),)), deployment("w"))
    assert (more.verdict, more.reasons[0].kind) == ("unschedulable", "minValues")


def test_a_daemonset_that_requests_a_gpu_uses_one() -> None:
    taking = daemon("probe", {}, limits={GPU: "1"})
    assert only(pool("a", A100X4), taking, deployment("w", gpus=4)).reasons[0].kind == "resource"
    assert only(pool("a", A100X4), taking, deployment("w", gpus=3)).verdict == "schedulable"


def test_a_size_without_room_for_a_daemonset_is_excluded() -> None:
    asked = deployment("w", gpus=0, requests={"cpu": "1"}, nodeSelector={POOL: "a"})
    assert only(pool("a", T4), daemon("probe", {}, limits={GPU: "2"}), asked).verdict == "unschedulable"


def test_the_port_of_a_daemonset_is_in_use_on_every_node() -> None:
    port = {"ports": [{"containerPort": 80, "hostPort": 8080}]}
    taking = daemon("proxy", {}, main=port)
    result = only(pool("a", A100), taking, deployment("w", main=port))
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "apart")
    assert "needs host port 8080/TCP, which a DaemonSet uses on all nodes" in result.reasons[0].message
    other = {"ports": [{"containerPort": 80, "hostPort": 8081}]}
    assert only(pool("a", A100), taking, deployment("w", main=other)).verdict == "schedulable"
    udp = {"ports": [{"containerPort": 80, "hostPort": 8080, "protocol": "UDP"}]}
    assert only(pool("a", A100), taking, deployment("w", main=udp)).verdict == "schedulable"


def test_a_port_on_one_address_does_not_conflict_with_another_address() -> None:
    ports = [{"ports": [{"containerPort": 80, "hostPort": 8080, "hostIP": f"10.0.0.{at}"}]} for at in (1, 2)]
    pair = [deployment(f"w{at}", main=spec) for at, spec in enumerate(ports)]
    assert len(forecast(CLASS, pool("h", H100X8), *pair).high) == 1


def test_a_daemonset_for_a_zone_without_the_size_uses_nothing() -> None:
    there = daemon("far", {"memory": "200Gi"}, nodeSelector={ZONE: f"{REGION}-2"})
    asked = deployment("w", requests={"memory": "100Gi"})
    assert only(pool("a", A100), there, asked, region=REGION).verdict == "schedulable"
    here = daemon("near", {"memory": "200Gi"}, nodeSelector={ZONE: f"{REGION}-1"})
    assert only(pool("a", A100), here, asked, region=REGION).verdict == "unschedulable"


@pytest.mark.parametrize(("key", "value", "size"), [("sku-cpu", "24", A100), ("sku-memory", "901120", A100X4)])
def test_the_aliases_of_aks_are_labels_like_the_others(key: str, value: str, size: str) -> None:
    result = only(pool("a", A100, A100X4), deployment("w", nodeSelector={f"kubernetes.azure.com/{key}": value}))
    assert (result.verdict, result.skus, result.certain) == ("schedulable", (size,), True)
    assert (
        only(pool("a", A100), deployment("w", nodeSelector={f"kubernetes.azure.com/{key}": "7"})).verdict
        == "unschedulable"
    )


@pytest.mark.parametrize("key", ["karpenter.azure.com/sku-storage-ultra-ssd", "kubernetes.azure.com/cluster"])
def test_an_unknown_label_is_a_doubt(key: str) -> None:
    value = "true" if key.endswith("ssd") else "other"
    result = only(pool("a", A100), deployment("w", nodeSelector={key: value}))
    assert (result.verdict, result.certain, result.doubts[0].kind) == ("schedulable", False, "fact")


def test_a_pod_that_excludes_a_label_value_lets_pods_join_that_require_the_label() -> None:
    """The pool does not set the label team. A pod that requires it can only join a node with a pod that mentions it."""
    term = {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["b"]}]}
    node = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    first = deployment("first", requests={"cpu": "9"}, affinity={"nodeAffinity": node})
    by_name = verdicts(pool("h", H100X8), first, deployment("second", nodeSelector={"team": "a"}))
    assert by_name["second"].verdict == "schedulable"
    assert only(pool("h", H100X8), deployment("second", nodeSelector={"team": "a"})).verdict == "unschedulable"


def test_no_size_of_another_family_is_named() -> None:
    family = wants("karpenter.azure.com/sku-family", "In", "D")
    result = only(pool("a", more=(family,)), deployment("w"))
    assert "no known GPU size that Karpenter offers" in result.reasons[0].message


def test_of_nodes_with_equally_many_pods_the_one_that_grew_last_comes_first() -> None:
    """Karpenter repeatedly sorts one list of nodes by their number of pods, with a stable sort."""
    apart = partial(affinity, "podAntiAffinity", key="kubernetes.io/hostname")
    works = [
        deployment("a", 3, gpus=3, requests={"cpu": "20"}, affinity=apart("a")),
        deployment("b", 2, requests={"cpu": "9"}, affinity=apart("b")),
        deployment("c", 2, requests={"cpu": "1"}),
    ]
    nodes = forecast(CLASS, pool("h", H100X8), *works).high
    on = sorted(tuple((share.workload, share.pods) for share in node.shares) for node in nodes)
    assert on == [((0, 1), (1, 1)), ((0, 1), (1, 1)), ((0, 1), (2, 2))]


def test_a_pod_without_gpus_joins_a_node_that_it_could_not_start() -> None:
    """minValues prevents it from starting a node, but does not apply to a node that is already open."""
    two = wants(NAME, "In", A100, H100X8, least=2)
    big = deployment("big", 1, gpus=1, requests={"cpu": "20"})
    large = deployment("x", 1, gpus=0, requests={"memory": "150Gi"})
    assert {verdict.name for verdict in forecast(CLASS, pool("a", more=(two,)), big, large).verdicts} == {"big", "x"}


REFUSED: dict[str, Body] = {
    "a restricted label": {"labels": {"karpenter.sh/mine": "x"}},
    "In without values": {"more": (wants("team", "In"),)},
    "Gt with two values": {"more": (wants("karpenter.azure.com/sku-cpu", "Gt", "1", "2"),)},
    "Gt with a negative value": {"more": (wants("karpenter.azure.com/sku-cpu", "Gt", "-1"),)},
    "a malformed value": {"more": (wants("team", "In", "a b"),)},
    "more minValues than values": {"more": (wants(CAPACITY, "In", "on-demand", least=2),)},
    "a way to pay that there is not": {"more": (wants(CAPACITY, "In", "reserved"),)},
    "one key and effect twice": {"taints": [], "startupTaints": [{"key": "a", "effect": "NoSchedule"}] * 2},
    "a schedule without a duration": {
        "disruption": {"consolidateAfter": "1m", "budgets": [{"nodes": "1", "schedule": "0 9 * * *"}]}
    },
    "replicas with a weight": {"replicas": 1, "weight": 10},
    "replicas with limits of cpu": {"replicas": 1, "limits": {"cpu": "100"}},
}


@for_each("name", REFUSED)
def test_a_rejected_pool_is_ignored(name: str) -> None:
    result = only(pool("a", A100, **REFUSED[name]), deployment("w"))
    assert (result.verdict, result.certain, result.reasons[0].kind) == ("unschedulable", True, "refused")
    assert result.reasons[0].message.startswith("the pool is rejected: ")


CLASSES: dict[str, Body] = {
    "FIPS with Ubuntu2404": {"fipsMode": "FIPS", "imageFamily": "Ubuntu2404"},
    "swap without failSwapOn": {"linuxOSConfig": {"swapFileSize": "1Gi"}},
    "a tag with a sign": {"tags": {"a<b": "x"}},
    "thresholds the wrong way round": {
        "kubelet": {"imageGCHighThresholdPercent": 50, "imageGCLowThresholdPercent": 60}
    },
    "an unknown image": {"imageFamily": "Windows"},
}


@for_each("name", CLASSES)
def test_a_pool_whose_class_is_rejected_has_no_nodes(name: str) -> None:
    (result,) = forecast({**CLASS, "spec": CLASSES[name]}, pool("a", A100), deployment("w")).verdicts
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "class")
    assert result.reasons[0].message.startswith("its AKSNodeClass gpu is rejected: ")


def test_a_pool_with_another_kind_of_class_is_skipped() -> None:
    other = pool("a", A100)
    other["spec"]["template"]["spec"]["nodeClassRef"]["kind"] = "NodeClass"
    result = only(other, deployment("w"))
    assert (result.verdict, result.certain, result.reasons[0].kind) == ("unschedulable", True, "class")


def test_a_cel_rule_of_a_passed_crd_is_applied() -> None:
    pytest.importorskip("cel_expr_python")
    rule = {"rule": "self.metadata.name.startsWith('gpu-')", "message": "name it gpu-"}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-validations": [rule]}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "NodePool", "plural": "nodepools"}
    crd = {"spec": {"group": "karpenter.sh", "scope": "Cluster", "names": names, "versions": [version]}}
    assert only(pool("gpu-a", A100), deployment("w"), crds=(crd,)).verdict == "schedulable"
    refused = only(pool("a", A100), deployment("w"), crds=(crd,))
    assert (refused.verdict, refused.reasons[0].message) == ("unschedulable", "the pool is rejected: name it gpu-")
