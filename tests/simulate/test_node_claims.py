"""Nodes together with their NodeClaims: what Karpenter counts before a node is initialized, and while it is removed."""

from typing import Any

import pytest

from tests.helping.cases import for_each
from tests.simulate.test_running import node, pod
from tests.simulate.worlds import (
    A100,
    A100X4,
    CLASS,
    GPU,
    POOL,
    TAINT,
    Body,
    deployment,
    forecast,
    only,
    pool,
    verdicts,
)

LIMITED = pool("a", A100, limits={GPU: "1"})
SIZE = "node.kubernetes.io/instance-type"
GONE = "2026-01-01T00:00:00Z"


def young(name: str = "n1", gpus: int = 0, **labels: Any) -> Body:
    """A node that has registered and is not initialized."""
    body = node(name, A100, gpus=gpus, **{"karpenter.sh/registered": "true"}, **labels)
    del body["metadata"]["labels"]["karpenter.sh/initialized"]
    body["spec"]["providerID"] = f"azure:///{name}"
    return body


def claim(of: str = "n1", gpus: int = 1, **parts: Any) -> Body:
    """A NodeClaim that has launched."""
    amounts = {"cpu": "24", "memory": "200Gi", "pods": "110", GPU: str(gpus)}
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": "c1", "labels": {POOL: "a", SIZE: A100}, **parts.pop("metadata", {})},
        "spec": {"nodeClassRef": reference, "requirements": [], "taints": [TAINT], **parts.pop("spec", {})},
        "status": {"providerID": f"azure:///{of}", "capacity": amounts, "allocatable": amounts, **parts},
    }


def placed(*bodies: Body) -> tuple[str, int, bool]:
    """The verdict, the number of new nodes, and whether it is certain."""
    result = forecast(CLASS, *bodies)
    (verdict,) = result.verdicts
    return verdict.verdict, len(result.high), verdict.certain


def test_the_gpus_of_the_node_claim_count_until_the_node_has_its_own() -> None:
    assert placed(LIMITED, young(), claim(), deployment("w")) == ("schedulable", 0, True)
    assert placed(LIMITED, young(), claim(), pod("old", "n1"), deployment("w")) == ("unschedulable", 0, True)
    ready = young()
    ready["metadata"]["labels"]["karpenter.sh/initialized"] = "true"
    assert placed(LIMITED, ready, claim(), deployment("w")) == ("schedulable", 1, True)  # its GPUs never came


def test_without_its_node_claim_such_a_node_is_an_estimate() -> None:
    bodies = [LIMITED, young(), deployment("w")]
    assert placed(*bodies) == ("schedulable", 0, False)
    assert "Node n1 is estimated: its NodeClaim with its nvidia.com/gpu is not in the input" in forecast(*bodies).notes


def test_a_node_claim_without_a_node_is_a_node() -> None:
    assert placed(LIMITED, claim(), deployment("w")) == ("schedulable", 0, True)
    other: Body = {"spec": {"taints": [TAINT, {"key": "mine", "effect": "NoSchedule"}]}}
    assert placed(LIMITED, claim(**other), deployment("w")) == ("unschedulable", 0, True)
    startup: Body = {"spec": {"taints": [TAINT], "startupTaints": [{"key": "mine", "effect": "NoSchedule"}]}}
    assert placed(LIMITED, claim(**startup), deployment("w")) == ("schedulable", 0, True)


def test_labels_and_taints_of_the_node_claim_count_until_the_node_registers() -> None:
    unregistered = young()
    del unregistered["metadata"]["labels"]["karpenter.sh/registered"]
    labelled = claim(metadata={"labels": {POOL: "a", SIZE: A100, "team": "b"}})
    wanting = deployment("w", nodeSelector={"team": "b"})
    assert placed(LIMITED, unregistered, labelled, wanting) == ("schedulable", 0, True)
    assert placed(LIMITED, young(), labelled, wanting) == ("unschedulable", 0, True)


def test_a_node_claim_that_has_not_launched_is_a_doubt() -> None:
    waiting = claim()
    waiting["status"] = {}
    del waiting["metadata"]["labels"][SIZE]
    result = forecast(CLASS, pool("a", A100), waiting, deployment("w"))
    (doubt,) = result.verdicts[0].doubts
    assert doubt.message == "NodeClaim c1 may change the answer: it has not launched yet"
    assert "NodeClaim c1 is ignored: it has not launched yet" in result.notes
    assert only(pool("b", A100), waiting, deployment("w")).certain


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({SIZE: "Standard_ND999_v9"}, "its size Standard_ND999_v9 is not in the catalog"),
        ({SIZE: ""}, "its size is unknown"),
    ],
)
def test_a_node_of_an_unknown_size_is_named(change: dict[str, Any], text: str) -> None:
    result = forecast(CLASS, pool("a", A100), node("n1", A100, **change), deployment("w"))
    assert f"Node n1 is ignored: {text}" in result.notes
    assert not result.verdicts[0].certain
    system = forecast(CLASS, pool("a", A100), node("n1", "Standard_D4s_v5", gpus=0, of="b"), deployment("w"))
    assert (system.verdicts[0].certain, system.notes) == (True, ())


def test_a_node_without_a_status_is_an_estimate() -> None:
    silent = node("n1", A100)
    del silent["status"]
    assert placed(LIMITED, silent, deployment("w")) == ("schedulable", 0, False)


REMOVED: dict[str, list[Body]] = {
    "node": [{**node("n1", A100), "metadata": {**node("n1", A100)["metadata"], "deletionTimestamp": GONE}}],
    "claim": [young(gpus=1), claim(metadata={"labels": {POOL: "a"}, "deletionTimestamp": GONE})],
    "terminating": [young(gpus=1), claim(conditions=[{"type": "InstanceTerminating", "status": "True"}])],
}


@pytest.mark.parametrize("name", REMOVED)
def test_a_node_that_is_removed_takes_no_pods_and_no_limit(name: str) -> None:
    result = forecast(CLASS, LIMITED, *REMOVED[name], deployment("w"))
    assert (len(result.high), result.verdicts[0].certain) == (1, True)
    assert "n1 is being removed: the pods there are scheduled again" in result.notes


@pytest.mark.parametrize("name", REMOVED)
def test_pods_of_a_node_that_is_removed_are_scheduled_again(name: str) -> None:
    wide = pool("a", A100, A100X4)
    found = verdicts(wide, *REMOVED[name], pod("old", "n1"), deployment("w"))
    assert {verdict.skus for verdict in found.values()} == {(A100X4,)}
    mine = pod("w-5d8f-x", "n1", owner=("ReplicaSet", "w-5d8f"))
    result = forecast(CLASS, wide, *REMOVED[name], mine, deployment("w", 2))
    assert (result.verdicts[0].high.replicas, result.running) == (2, (0, 0))
    daemon_pod = pod("d", "n1", owner=("DaemonSet", "d"))
    assert [
        verdict.name for verdict in forecast(CLASS, wide, *REMOVED[name], daemon_pod, deployment("w")).verdicts
    ] == ["w"]


def test_a_pod_that_may_stay_on_its_node_is_a_doubt() -> None:
    kept = pod("old", "n1")
    kept["metadata"]["annotations"] = {"karpenter.sh/do-not-disrupt": "true"}
    assert not only(LIMITED, *REMOVED["node"], kept).certain
    spec = {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "w"}}}
    meta = {"name": "w", "namespace": "a"}
    budget: Body = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": meta, "spec": spec}
    assert not only(LIMITED, *REMOVED["node"], budget, pod("old", "n1")).certain
    assert only(LIMITED, *REMOVED["node"], pod("old", "n1")).certain


def test_a_node_that_karpenter_is_about_to_remove_is_a_doubt() -> None:
    marked = node("n1", A100)
    marked["spec"]["taints"].append({"key": "karpenter.sh/disrupted", "effect": "NoSchedule"})
    assert placed(LIMITED, marked, deployment("w")) == ("unschedulable", 0, False)


def test_a_cordoned_node_takes_no_pods() -> None:
    cordoned = node("n1", A100)
    cordoned["spec"]["unschedulable"] = True
    assert placed(LIMITED, cordoned, deployment("w")) == ("unschedulable", 0, True)


@for_each(
    ("of", "change"),
    [
        ("pool", {"metadata": {"name": "a", "deletionTimestamp": GONE}}),
        ("pool", {"status": {"conditions": [{"type": "Ready", "status": "False", "message": "wrong"}]}}),
        ("class", {"metadata": {"name": "gpu", "deletionTimestamp": GONE}}),
        ("class", {"status": {"conditions": [{"type": "Ready", "status": "Unknown", "reason": "Wait"}]}}),
    ],
)
def test_a_pool_that_is_not_ready_starts_no_node(of: str, change: Body) -> None:
    own, owner = pool("a", A100), CLASS
    if of == "pool":
        own = {**own, **change}
    else:
        owner = {**CLASS, **change}
    result = forecast(owner, own, deployment("w"))
    assert (result.verdicts[0].reasons[0].kind, len(result.high)) == ("class", 0)
    ready = {**own, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
    assert of == "class" or len(forecast(CLASS, {**ready, "metadata": {"name": "a"}}, deployment("w")).high) == 1
