"""Uncertain results: each doubt, and a similar case without it."""

from typing import Any

import pytest

from tests.helping.cases import for_each
from tests.simulate.test_running import node, pod
from tests.simulate.worlds import A100, A100X2, A100X4, GPU, H100X8, ZONE, Body, deployment, only, pool, verdicts, wants

POOL, CAPACITY = pool("a", A100), "karpenter.sh/capacity-type"
BOTH_WAYS = pool("a", A100, more=(wants(CAPACITY, "In", "spot", "on-demand"),))
SPOT = pool("a", A100, more=(wants(CAPACITY, "In", "spot"),))


def doubts(*bodies: Body, **asked: Any) -> list[tuple[str, str]]:
    """The kind and text of every doubt about the only workload."""
    return [(doubt.kind, doubt.message) for doubt in only(*bodies, **asked).doubts]


def kinds(*bodies: Body, **asked: Any) -> list[str]:
    """Only the kinds of these doubts."""
    return [kind for kind, _ in doubts(*bodies, **asked)]


@for_each(
    ("spec", "expected"),
    [
        ({}, []),
        ({"schedulerName": "default-scheduler"}, []),
        ({"schedulerName": "volcano"}, ["the pod uses the scheduler volcano, which is not modelled"]),
        ({"volumes": [{"name": "v", "emptyDir": {}}]}, []),
        (
            {"volumes": [{"name": "v", "emptyDir": {}}, {"name": "w", "persistentVolumeClaim": {"claimName": "w"}}]},
            ["the claim w is not in the input: its volume may restrict the pod to a zone"],
        ),
    ],
)
def test_doubts_about_a_pod(spec: Body, expected: list[str]) -> None:
    assert [words for _, words in doubts(POOL, deployment("w", **spec))] == expected


def test_a_pod_that_a_queue_suspends_is_a_doubt() -> None:
    label = "kueue.x-k8s.io/queue-name"
    queued = deployment("w")
    queued["metadata"]["labels"] = {label: "gpus"}
    below = deployment("w")
    below["spec"]["template"]["metadata"]["labels"][label] = "gpus"
    assert kinds(POOL, queued) == kinds(POOL, below) == ["queue"]


def test_volumes_of_a_stateful_set_are_a_doubt() -> None:
    body = deployment("w")
    claims = [
        {
            "metadata": {"name": "data"},
            "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
        }
    ]
    made = {**body, "kind": "StatefulSet", "spec": {**body["spec"], "serviceName": "w", "volumeClaimTemplates": claims}}
    assert kinds(POOL, made) == ["volume"]


def beside(sort: str, key: str, **labels: str) -> Body:
    """An affinity or anti-affinity to pods with these labels."""
    term = {"labelSelector": {"matchLabels": labels}, "topologyKey": key}
    return {sort: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


@for_each(
    ("rule", "expected"),
    [
        (beside("podAffinity", ZONE, app="w"), []),
        (beside("podAntiAffinity", ZONE, app="w"), []),
        (beside("podAntiAffinity", ZONE, app="other"), []),
        (beside("podAntiAffinity", "kubernetes.io/hostname", app="w"), []),
        (beside("podAntiAffinity", "karpenter.sh/nodepool", app="w"), []),
        (beside("podAntiAffinity", CAPACITY, app="w"), []),
        (beside("podAntiAffinity", "kubernetes.io/arch", app="w"), ["model"]),
    ],
)
def test_doubts_about_rules_for_other_pods(rule: Body, expected: list[str]) -> None:
    assert kinds(POOL, deployment("w", affinity=rule)) == expected


def test_affinity_to_pods_that_may_be_elsewhere() -> None:
    first = deployment("first")
    second = deployment("second", affinity=beside("podAffinity", ZONE, app="first"))
    result = verdicts(POOL, first, second)["second"]
    assert ([doubt.kind for doubt in result.doubts], result.verdict) == (["model"], "schedulable")


@for_each(("part", "close"), [(0.97, False), (0.99, True)])
@for_each(("resource", "has"), [("cpu", 23660), ("memory", 205737951232)])
def test_requests_that_almost_fill_a_node_are_a_doubt(resource: str, has: int, part: float, close: bool) -> None:
    amount = f"{int(has * part)}{'m' if resource == 'cpu' else ''}"
    pairs = doubts(POOL, deployment("w", requests={resource: amount}))
    assert [kind for kind, _ in pairs] == (["near"] if close else [])
    assert all(f"of {resource} is within 2% of the" in words for _, words in pairs)


def test_spot_capacity_that_may_be_missing() -> None:
    """If the pool and the pod also accept on-demand nodes, only the price depends on it."""
    spot, both = only(SPOT, deployment("w"), spot={A100: 1.0}), only(BOTH_WAYS, deployment("w"), spot={A100: 1.0})
    assert [(doubt.kind, doubt.decides) for doubt in spot.doubts] == [("spot", True)]
    assert [(doubt.kind, doubt.decides) for doubt in both.doubts] == [("spot", False)]
    pinned = only(BOTH_WAYS, deployment("w", nodeSelector={CAPACITY: "spot"}), spot={A100: 1.0})
    assert [(doubt.kind, doubt.decides) for doubt in pinned.doubts] == [("spot", True)]
    assert kinds(BOTH_WAYS, deployment("w", nodeSelector={CAPACITY: "on-demand"})) == []


def test_an_unknown_price_is_a_doubt() -> None:
    assert kinds(POOL, deployment("w")) == []
    assert kinds(POOL, deployment("w"), region="") == ["price"]
    assert "without a region" in doubts(POOL, deployment("w"), region="")[0][1]
    assert kinds(SPOT, deployment("w"), region="") == ["spot", "price"]
    assert kinds(SPOT, deployment("w"), region="", spot={A100: 1.0}) == ["spot"]
    assert kinds(POOL, deployment("w"), region="", spot={A100: 1.0}) == ["price"]
    unsold = "Standard_NC8ads_A10_v4"
    assert kinds(pool("a", unsold), deployment("w"))[0] in {"price", "fact"}


def test_zones_that_are_not_known() -> None:
    """They are a doubt only if the pod or the pool excludes nodes without a zone."""
    zonal = pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),))
    pairs = doubts(zonal, deployment("w"))
    assert [(kind, words.endswith("in eastus are unknown")) for kind, words in pairs] == [("zone", True)]
    pinned = doubts(POOL, deployment("w", nodeSelector={ZONE: "eastus-1"}))
    assert [kind for kind, _ in pinned] == ["zone"]
    known = pool("a", A100, more=(wants(ZONE, "In", "southcentralus-1"),))
    assert "zone" not in kinds(known, deployment("w"), region="southcentralus")
    named = pool("a", A100, more=(wants(ZONE, "In", "mine-1"),))
    assert ("zone", "the zones of the region are unknown") in doubts(named, deployment("w"), region="mine")


@for_each(
    ("limits", "replicas", "expected"),
    [({"nodes": "1"}, 1, []), ({"nodes": "1"}, 3, ["limit"]), ({"nodes": "3"}, 3, []), ({GPU: "3"}, 3, [])],
)
def test_a_node_limit_that_a_batch_can_exceed(limits: Body, replicas: int, expected: list[str]) -> None:
    rule = {"affinity": beside("podAntiAffinity", "kubernetes.io/hostname", app="w")}
    reported = doubts(pool("a", A100, limits=limits), deployment("w", replicas, **rule))
    assert [kind for kind, _ in reported] == expected
    if expected:
        assert (
            f"a may get {replicas}, because its limit of {limits['nodes']} applies only to later pods" in reported[0][1]
        )


@pytest.mark.parametrize(("replicas", "expected"), [(12, []), (13, [("model", False)])])
def test_an_order_of_nodes_that_matters_and_is_not_stable(replicas: int, expected: list[tuple[str, bool]]) -> None:
    """Up to twelve nodes, the sort is stable. With more, it matters only if workloads share nodes."""
    large = deployment("large", replicas, gpus=4, requests={"cpu": "60"})
    small = deployment("small", replicas, gpus=4, requests={"cpu": "30"})
    both = verdicts(pool("a", H100X8), large, small)
    assert both["small"].high.nodes == replicas
    assert [[(doubt.kind, doubt.decides) for doubt in each.doubts] for each in both.values()] == [expected, expected]
    assert kinds(pool("a", H100X8), deployment("w", 13, gpus=8)) == []


def test_one_shared_node_among_more_than_twelve_is_enough_for_the_doubt() -> None:
    small = deployment("small", gpus=4, requests={"cpu": "30"})
    large = deployment("large", 13, gpus=4, requests={"cpu": "60"})
    assert [doubt.kind for doubt in verdicts(pool("a", H100X8), large, small)["large"].doubts] == ["model"]


def test_existing_nodes_are_in_a_fixed_order() -> None:
    """Twelve new nodes and an existing one are not a doubt; it starts at thirteen new nodes."""
    full = [node("n1", H100X8, gpus=8), pod("old", "n1", gpus=8)]
    large = deployment("large", 12, gpus=4, requests={"cpu": "60"})
    small = deployment("small", 12, gpus=4, requests={"cpu": "30"})
    by_name = verdicts(pool("a", H100X8), *full, large, small)
    assert {name: list(each.doubts) for name, each in by_name.items()} == {"large": [], "small": []}


def test_a_workload_without_a_gpu_may_go_elsewhere() -> None:
    asks = deployment("w", gpus=0, nodeSelector={"karpenter.sh/nodepool": "a"})
    assert kinds(POOL, asks) == ["gpuless"]


def test_the_room_on_the_largest_of_several_sizes_is_not_a_doubt() -> None:
    sizes = pool("a", A100, A100X4)
    assert kinds(sizes, deployment("w", requests={"memory": "190Gi"})) == ["near"]
    assert kinds(sizes, deployment("w", requests={"memory": "195Gi"})) == []


@pytest.mark.parametrize(("cores", "certain"), [("30", False), ("1", True)], ids=["another size", "the same size"])
def test_a_doubt_reaches_the_pods_that_share_a_node(cores: str, certain: bool) -> None:
    """Without the pod that may run on a node without GPUs, the other one may get a smaller size."""
    gpuless = deployment("cpu", gpus=0, requests={"cpu": cores})
    found = verdicts(pool("a", A100, A100X2), deployment("plain", requests={"cpu": "2"}), gpuless)
    assert not found["cpu"].certain
    assert found["plain"].certain is certain
    assert [doubt.message for doubt in found["plain"].doubts] == (
        [] if certain else ["it shares a node with a/cpu, whose placement is uncertain"]
    )
