"""Existing nodes and pods: they use capacity, count against limits, and are not simulated again."""

from typing import Any

import pytest

from tests.helping.cases import for_each
from tests.simulate.test_node_pools import agents
from tests.simulate.worlds import (
    A100,
    A100X2,
    A100X4,
    CLASS,
    GPU,
    POOL,
    TAINT,
    Body,
    daemon,
    deployment,
    forecast,
    only,
    pod_spec,
    pool,
    wants,
)

ZONE, CAPACITY = "topology.kubernetes.io/zone", "karpenter.sh/capacity-type"


def node(name: str, size: str, of: str = "a", gpus: int = 1, **labels: Any) -> Body:
    """A node of a NodePool, as returned by the API server."""
    texts = {
        "kubernetes.io/hostname": name,
        "node.kubernetes.io/instance-type": size,
        "karpenter.azure.com/sku-name": size,
        "karpenter.sh/capacity-type": "on-demand",
        ZONE: "eastus-1",
        POOL: of,
        "karpenter.sh/initialized": "true",
    }
    amounts = {"cpu": "24", "memory": "200Gi", "pods": "110", GPU: str(gpus)}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**texts, **labels}},
        "spec": {"taints": [TAINT]},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def pod(name: str, on: str = "", phase: str = "Running", owner: tuple[str, str] = ("", ""), **spec: object) -> Body:
    """A pod. `on` is the node on which it runs."""
    body = pod_spec(**spec)  # type: ignore[arg-type]
    owners = [{"apiVersion": "apps/v1", "kind": owner[0], "name": owner[1], "uid": "u", "controller": True}]
    meta = {"name": name, "namespace": "a", "labels": {"app": "w"}, **({"ownerReferences": owners} if owner[0] else {})}
    status = {"phase": phase if on or phase != "Running" else "Pending"}
    placed = {**body, **({"nodeName": on} if on else {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": placed, "status": status}


def test_a_running_pod_takes_the_limit_and_is_not_a_new_pod() -> None:
    """With a limit of one GPU, the running pod has it, and the pending one gets none."""
    result = forecast(CLASS, pool("a", A100, limits={GPU: "1"}), pod("old", "aks-a-x1"), pod("new"))
    (verdict,) = result.verdicts
    assert (verdict.name, verdict.verdict, verdict.reasons[0].kind) == ("new", "unschedulable", "limit")
    assert (result.running, result.high) == ((1, 1), ())
    assert "pool and size are inferred" in result.notes[1]


def test_a_node_counts_against_the_limits_of_its_pool() -> None:
    limited = pool("a", A100, limits={GPU: "2"})
    there = [node("n1", A100), pod("old", "n1")]
    result = forecast(CLASS, limited, *there, deployment("w", 2))
    assert (result.verdicts[0].high.placed, len(result.high), result.running) == (1, 1, (1, 1))
    other = forecast(CLASS, limited, node("n1", A100, of="b"), pod("old", "n1"), deployment("w", 2))
    assert other.verdicts[0].high.placed == 2


def test_pods_use_free_capacity_before_a_new_node() -> None:
    there = [node("n1", A100X4, gpus=4), *(pod(f"old{at}", "n1") for at in range(3))]
    result = forecast(CLASS, pool("a", A100), *there, deployment("w", 2))
    (verdict,) = result.verdicts
    assert (verdict.high.placed, verdict.high.nodes, verdict.high.price) == (2, 2, 3.673)
    assert [node.sku for node in result.high] == [A100]
    assert set(verdict.skus) == {A100, A100X4}


def test_nodes_are_tried_in_order_of_names() -> None:
    there = [node("n2", A100), node("n1", A100X2, gpus=2)]
    assert only(pool("a", A100), *there, deployment("w")).skus == (A100X2,)


@pytest.mark.parametrize("owner", ["gpu", "missing"])
def test_a_pod_without_gpus_uses_a_node_that_its_pool_could_not_start(owner: str) -> None:
    """The 20 cores that it takes are not there for the pod with a GPU."""
    small = deployment("small", gpus=0, requests={"cpu": "20"}, nodeSelector={"team": "b"})
    large = deployment("large", requests={"cpu": "8"})
    starts_none = pool("a", A100, owner=owner, limits={GPU: "0"})
    result = forecast(CLASS, starts_none, node("n1", A100, team="b"), small, large)
    verdicts = {verdict.name: verdict.verdict for verdict in result.verdicts}
    assert verdicts == {"small": "schedulable", "large": "unschedulable"}


def test_a_node_with_another_label_is_not_used() -> None:
    bodies = [pool("a", A100, limits={GPU: "0"}), node("n1", A100, team="b")]
    assert only(*bodies, deployment("w", nodeSelector={"team": "b"})).verdict == "schedulable"
    assert only(*bodies, deployment("w", nodeSelector={"team": "c"})).verdict == "unschedulable"


def test_pods_that_ended_are_ignored() -> None:
    ended = [pod("done", "n1", phase="Succeeded"), pod("broken", "n1", phase="Failed")]
    result = forecast(CLASS, pool("a", A100, limits={GPU: "0"}), node("n1", A100), *ended, deployment("w"))
    assert [verdict.name for verdict in result.verdicts] == ["w"]
    assert (result.verdicts[0].verdict, result.running) == ("schedulable", (1, 0))


def test_running_pods_of_a_workload_are_not_started_again() -> None:
    mine = pod("w-5d8f-x", "n1", owner=("ReplicaSet", "w-5d8f"))
    result = forecast(CLASS, pool("a", A100), node("n1", A100), mine, deployment("w", 3))
    assert (result.verdicts[0].high.replicas, len(result.high)) == (2, 2)


def test_pods_that_run_count_for_a_spread() -> None:
    rule = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    spread = {"topologySpreadConstraints": [{**rule, "labelSelector": {"matchLabels": {"app": "w"}}}]}
    there = [node("n1", A100X2, gpus=2), pod("old", "n1")]
    result = only(pool("a", A100), *there, deployment("w", **spread))  # type: ignore[arg-type]
    assert result.zones == ("eastus-2",)


@pytest.mark.parametrize(("policy", "placed"), [("Ignore", 2), ("Honor", 4)])
def test_the_zone_of_a_node_that_the_pod_does_not_tolerate_is_a_domain_unless_taints_count(
    policy: str, placed: int
) -> None:
    """If the zone is a domain, it stays without a pod, so the other zones may have only one each."""
    rule = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "nodeTaintsPolicy": policy}
    spread: Any = {"topologySpreadConstraints": [{**rule, "labelSelector": {"matchLabels": {"app": "w"}}}]}
    two = pool("a", A100, more=(wants(ZONE, "In", "eastus-1", "eastus-2"),))
    labels: dict[str, Any] = {ZONE: "eastus-3"}
    other = node("n1", A100, **labels)
    other["spec"]["taints"].append({"key": "mine", "effect": "NoSchedule"})
    assert only(two, other, deployment("w", 4, **spread)).high.placed == placed


def test_a_daemonset_without_a_pod_on_a_node_still_reserves_room() -> None:
    bodies = [pool("a", A100, limits={GPU: "0"}), node("n1", A100), daemon("probe", {"memory": "100Gi"})]
    assert only(*bodies, deployment("w", requests={"memory": "150Gi"})).verdict == "unschedulable"
    elsewhere = daemon("probe", {"memory": "100Gi"}, nodeSelector={"team": "other"})
    assert only(*bodies[:2], elsewhere, deployment("w", requests={"memory": "150Gi"})).verdict == "schedulable"
    there = pod("probe-x", "n1", owner=("DaemonSet", "probe"), gpus=0, requests={"memory": "100Gi"})
    assert only(*bodies, there, deployment("w", requests={"memory": "90Gi"})).verdict == "schedulable"


def test_a_node_that_is_not_ready_yet_accepts_pods() -> None:
    young = node("n1", A100)
    del young["metadata"]["labels"]["karpenter.sh/initialized"]
    young["spec"]["taints"] = [TAINT, {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]
    assert only(pool("a", A100, limits={GPU: "0"}), young, deployment("w")).verdict == "schedulable"


@for_each(
    ("taint", "verdict"),
    [
        ("node.kubernetes.io/not-ready:NoExecute", "schedulable"),
        ("node.kubernetes.io/unreachable:NoSchedule", "schedulable"),
        ("node.kubernetes.io/unreachable:NoExecute", "unschedulable"),
        ("node.cloudprovider.kubernetes.io/uninitialized:NoSchedule", "schedulable"),
        ("node.cloudprovider.kubernetes.io/uninitialized:NoExecute", "unschedulable"),
        ("karpenter.sh/unregistered:NoExecute", "schedulable"),
        ("karpenter.sh/unregistered:NoSchedule", "unschedulable"),
        ("readiness.k8s.io/gpu-driver:NoSchedule", "schedulable"),
        ("readiness.k8s.io/gpu-driver:NoExecute", "schedulable"),
        ("readiness.k8s.io:NoSchedule", "unschedulable"),
        ("example.com/readiness.k8s.io:NoSchedule", "unschedulable"),
    ],
)
def test_taints_that_karpenter_ignores_until_a_node_is_initialized(taint: str, verdict: str) -> None:
    """Taints are matched by key and effect, or by a prefix of the key."""
    key, effect = taint.split(":")
    young = node("n1", A100)
    young["metadata"]["labels"]["karpenter.sh/initialized"] = "false"
    young["spec"]["taints"].append({"key": key, "effect": effect})
    bodies = [pool("a", A100, limits={GPU: "0"}), deployment("w")]
    assert only(*bodies, young).verdict == verdict
    young["metadata"]["labels"]["karpenter.sh/initialized"] = "true"
    assert only(*bodies, young).verdict == "unschedulable"


def test_startup_taints_of_a_pool_are_ignored_while_its_nodes_start() -> None:
    """Only startup taints of the node's own NodePool are ignored, and only with the same effect."""
    wait = {"key": "wait", "effect": "NoSchedule"}
    pools = [
        pool("a", A100, limits={GPU: "0"}, startupTaints=[wait]),
        pool("b", A100, limits={GPU: "0"}, startupTaints=[{**wait, "effect": "NoExecute"}]),
    ]
    for of, expected in (("a", "schedulable"), ("b", "unschedulable"), ("gone", "unschedulable")):
        young = node("n1", A100, of=of)
        young["metadata"]["labels"]["karpenter.sh/initialized"] = "false"
        young["spec"]["taints"].append(wait)
        assert only(*pools, young, deployment("w")).verdict == expected


def test_the_room_on_a_node_is_its_allocatable_resources() -> None:
    """Allocatable counts, or else capacity. An unreadable amount counts as zero."""
    small = node("n1", A100)
    small["status"]["allocatable"] = {**small["status"]["allocatable"], "memory": "50Gi", "x": "many"}
    bodies = [pool("a", A100, limits={GPU: "0"}), small]
    assert only(*bodies, deployment("w", requests={"memory": "50Gi"})).verdict == "schedulable"
    assert only(*bodies, deployment("w", requests={"memory": "51Gi"})).verdict == "unschedulable"
    bare = node("n1", A100)
    del bare["status"]["allocatable"]
    assert (
        only(pool("a", A100, limits={GPU: "0"}), bare, deployment("w", requests={"memory": "199Gi"})).verdict
        == "schedulable"
    )


def test_a_node_without_gpus_takes_no_pods_that_request_them() -> None:
    for other, nodes in ((node("n1", A100, gpus=0), 1), (node("n1", "Standard_D4s_v5", gpus=0), 0)):
        result = forecast(CLASS, pool("a", A100), other, deployment("w"))
        assert (result.running, len(result.high)) == ((nodes, 0), 1)


def test_a_node_of_an_agent_pool_has_its_name() -> None:
    """It runs pods, but does not count against the limit of any NodePool."""
    for key in ("agentpool", "kubernetes.azure.com/agentpool"):
        other = node("n1", A100)
        for gone in (POOL, "karpenter.sh/initialized"):
            del other["metadata"]["labels"][gone]
        other["metadata"]["labels"][key] = "system"
        result = forecast(CLASS, pool("a", A100, limits={GPU: "1"}), other, deployment("w", 2))
        (verdict,) = result.verdicts
        assert (verdict.high.placed, sorted(verdict.pools)) == (2, ["a", "system"])


def of_agent_pool(name: str, of: str) -> Body:
    """A node that AKS started for a node pool."""
    body = node(name, A100, agentpool=of)
    for key in (POOL, "karpenter.sh/initialized"):
        del body["metadata"]["labels"][key]
    return body


def test_a_pool_of_aks_starts_the_nodes_that_it_lacks_to_its_minimum() -> None:
    scaled = agents(enableAutoScaling=True, minCount=2, maxCount=3)
    for own, lacking in (([], 2), (["n1"], 1), (["n1", "n2"], 0)):
        there = [*(of_agent_pool(name, "gpu") for name in own), of_agent_pool("n9", "other")]
        assert len(forecast(CLASS, scaled, *there, deployment("w", 0)).low) == lacking


def test_a_node_that_exists_lacks_a_label_that_a_new_one_might_have() -> None:
    """It is unknown whether nodes of the size have the label, so a new node might. The existing one does not."""
    term = {"matchExpressions": [wants("karpenter.azure.com/sku-storage-ultra-ssd", "Exists")]}
    rule = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    there = [pool("a", A100X2), pod("old", "aks-a-x1")]
    for affinity, new in (({}, 0), ({"nodeAffinity": rule}, 1)):
        result = forecast(CLASS, *there, deployment("w", affinity=affinity))
        assert (result.verdicts[0].high.placed, len(result.high)) == (1, new)


def test_a_workload_on_a_spot_node_is_on_spot_even_if_it_has_other_nodes_too() -> None:
    labels: dict[str, Any] = {CAPACITY: "spot"}
    spot = node("n1", A100, **labels)
    result = only(pool("a", A100), spot, deployment("w", 2))
    assert (result.high.placed, result.spot, set(result.pools)) == (2, True, {"a"})
    assert not only(pool("a", A100), spot, pod("old", "n1"), deployment("w")).spot


def test_nodes_that_are_ready_come_before_those_that_are_not() -> None:
    young = node("n1", A100)
    young["metadata"]["labels"]["karpenter.sh/initialized"] = "false"
    ready = node("n2", A100X2, gpus=2)
    assert only(pool("a", A100), young, ready, deployment("w")).skus == (A100X2,)


def test_a_permanent_taint_repels_pods_from_a_new_node() -> None:
    young = node("n1", A100)
    del young["metadata"]["labels"]["karpenter.sh/initialized"]
    young["spec"]["taints"] = [TAINT, {"key": "mine", "effect": "NoSchedule"}]
    assert only(pool("a", A100, limits={GPU: "0"}), young, deployment("w")).verdict == "unschedulable"
    old = node("n1", A100)
    old["spec"]["taints"] = [TAINT, {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]
    assert only(pool("a", A100, limits={GPU: "0"}), old, deployment("w")).verdict == "unschedulable"


def test_a_spot_node_that_is_there_is_spot() -> None:
    spot: list[dict[str, Any]] = [{key: "spot"} for key in (CAPACITY, "kubernetes.azure.com/scalesetpriority")]
    for labels in (*spot, {}):
        result = only(pool("a", A100, limits={GPU: "0"}), node("n1", A100, **labels), deployment("w"))
        assert (result.spot, result.zones, result.high.price) == (bool(labels), ("eastus-1",), 0.0)


def test_existing_nodes_are_reported() -> None:
    there = [node("n1", A100), pod("old", "n1"), pod("other", "n2")]
    result = forecast(CLASS, pool("a", A100), *there, deployment("w"))
    assert result.running == (2, 2)
    assert result.notes[:2] == (
        "2 GPU nodes and 2 pods already exist: they use capacity and count towards limits",
        "1 of these nodes are not in the input: their pool and size are inferred from their pods",
    )
    assert not any("already" in note for note in forecast(CLASS, pool("a", A100), deployment("w")).notes)


def test_the_port_of_a_running_pod_is_taken() -> None:
    port: Any = {"main": {"ports": [{"containerPort": 80, "hostPort": 80}]}}
    wide = node("n1", A100X2, gpus=2)
    bodies = [pool("a", A100, limits={GPU: "0"}), wide]
    assert only(*bodies, pod("old", "n1", **port), deployment("w", **port)).verdict == "unschedulable"
    assert only(*bodies, pod("old", "n1"), deployment("w", **port)).verdict == "schedulable"


def test_a_node_that_only_its_pods_name_is_of_the_first_pool_whose_labels_they_agree_with() -> None:
    """The pool in the node's name is tried first, but the pod requires another one, so the node uses up its limit."""
    pools = [pool(name, A100, limits={GPU: "1"}) for name in ("a", "b")]
    waiting = [deployment(f"to-{name}", nodeSelector={POOL: name}) for name in ("a", "b")]
    there = pod("old", "aks-a-x1", nodeSelector={POOL: "b"})
    placed = {verdict.name: verdict.high.placed for verdict in forecast(CLASS, *pools, there, *waiting).verdicts}
    assert placed == {"to-a": 1, "to-b": 0}
    both = pod("other", "aks-a-x1", nodeSelector={POOL: "a"})  # no node matches both, so it counts for neither
    placed = {verdict.name: verdict.high.placed for verdict in forecast(CLASS, *pools, there, both, *waiting).verdicts}
    assert placed == {"to-a": 1, "to-b": 1}


def test_pods_that_cannot_be_on_one_node_do_not_imply_a_node() -> None:
    """The name of their node is wrong, or a label of the node has changed. Nothing counts against the limit."""
    limited, waiting = pool("a", A100X2, limits={GPU: "2"}), deployment("w", gpus=2)
    zones = [pod(f"in-{zone}", "aks-a-x1", nodeSelector={ZONE: f"eastus-{zone}"}) for zone in (1, 2)]
    assert forecast(CLASS, limited, *zones, waiting).verdicts[0].high.placed == 1
    assert forecast(CLASS, limited, *zones[:1], waiting).verdicts[0].high.placed == 0
