"""Facts that Karpenter, kube-scheduler or admission read: what follows from them, or a doubt if gitgpu does not."""

from typing import Any

import pytest

from tests.helping.cases import for_each
from tests.simulate.clusters import beside, hpa, job, nodes_with, spread
from tests.simulate.test_running import node, pod
from tests.simulate.worlds import (
    A100,
    A100X4,
    CLASS,
    GPU,
    H100X8,
    Body,
    deployment,
    forecast,
    only,
    pod_spec,
    pool,
    verdicts,
    wants,
)

POOL, HOST = "karpenter.sh/nodepool", "kubernetes.io/hostname"
BOTH = pool("a", A100, A100X4)
PLAIN = deployment("plain")


def of(kind: str, version: str = "v1", name: str = "x", space: str = "a", **parts: Any) -> Body:
    """An object."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": space}, **parts}


def runtime_class(name: str, **parts: Any) -> Body:
    """A RuntimeClass."""
    return {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": name},
        "handler": name,
        **parts,
    }


def with_metadata(body: Body, **more: Any) -> Body:
    """The object with more metadata."""
    return {**body, "metadata": {**body["metadata"], **more}}


def with_spec(body: Body, **more: Any) -> Body:
    """The object with more fields in its spec."""
    return {**body, "spec": {**body["spec"], **more}}


def ranged(**entry: Any) -> Body:
    """A LimitRange."""
    return of("LimitRange", spec={"limits": [{"type": "Container", **entry}]})


def scaler(mode: str) -> Body:
    """A VerticalPodAutoscaler of the Deployment w."""
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w"}
    spec = {"targetRef": reference, "updatePolicy": {"updateMode": mode}}
    return of("VerticalPodAutoscaler", "autoscaling.k8s.io/v1", spec=spec)


W = deployment("w")
UNREAD: dict[str, tuple[list[Body], str]] = {
    "gate": ([deployment("w", schedulingGates=[{"name": "example.com/wait"}])], "its gate example.com/wait"),
    "runtime class": ([deployment("w", runtimeClassName="kata")], "of the RuntimeClass kata"),
    "system": ([deployment("w", os={"name": "windows"})], "the pod is for windows"),
    "volume": (
        [deployment("w", volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}}])],
        "the default StorageClass is not known",
    ),
    "namespace": (
        [deployment("w", affinity=beside("podAntiAffinity", HOST, labelSelector={}, namespaceSelector={
            "matchLabels": {"team": "b"}}))],
        "the labels of the namespace a are not in the input",
    ),
    "deleted": ([with_metadata(W, deletionTimestamp="2026-01-01T00:00:00Z")], "the Deployment is being deleted"),
    "suspended job": ([job("w", suspend=True)], "the Job is suspended"),
    "paused": ([with_spec(W, paused=True)], "the Deployment is paused"),
    "deleted namespace": (
        [W, with_metadata(of("Namespace", name="a", space=""), deletionTimestamp="2026-01-01T00:00:00Z")],
        "the namespace a is being deleted",
    ),
    "default requests": ([W, ranged(defaultRequest={"cpu": "4"})], "the LimitRange x may change"),
    "maximum": ([deployment("w", requests={"cpu": "1"}), ranged(max={"cpu": "4"})], "the LimitRange x may change"),
    "quota": ([W, of("ResourceQuota", spec={"hard": {f"requests.{GPU}": "9"}})], "the ResourceQuota x may"),
    "exceeded quota": ([W, of("ResourceQuota", spec={"hard": {f"requests.{GPU}": "0"}})], "ResourceQuota x allows 0"),
    "vertical": ([W, scaler("Auto")], "the VerticalPodAutoscaler x changes"),
    "preempting": (
        [{**pod("w"), "status": {"phase": "Pending", "nominatedNodeName": "n9"}}],
        "the pod waits for preemption on n9",
    ),
    "not unschedulable": (
        [{**pod("w"), "status": {"conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "SchedulerError"}]}}],
        "not SchedulerError",
    ),
}  # fmt: skip
READ: dict[str, list[Body]] = {
    "known runtime class": [deployment("w", runtimeClassName="kata"), runtime_class("kata")],
    "runtime class of the operator": [deployment("w", runtimeClassName="nvidia")],
    "system": [deployment("w", os={"name": "linux"})],
    "known namespace": [
        deployment("w", affinity=beside("podAntiAffinity", HOST, labelSelector={}, namespaceSelector={
            "matchLabels": {"team": "b"}})),
        of("Namespace", name="a", space=""),
    ],
    "namespace by name": [
        deployment("w", affinity=beside("podAntiAffinity", HOST, labelSelector={}, namespaceSelector={
            "matchLabels": {"kubernetes.io/metadata.name": "b"}})),
    ],
    "job": [job("w", suspend=False)],
    "other namespace": [W, with_metadata(ranged(defaultRequest={"cpu": "4"}), namespace="b")],
    "all requests": [deployment("w", requests={"cpu": "1"}), ranged(defaultRequest={"cpu": "4"})],
    "quota of other resources": [W, of("ResourceQuota", spec={"hard": {"configmaps": "1"}})],
    "only recommends": [W, scaler("Off")],
    "unschedulable": [
        {**pod("w"), "status": {"conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]}}
    ],
}  # fmt: skip


@for_each("name", UNREAD)
def test_a_fact_that_is_not_read_is_a_doubt_also_for_pods_beside(name: str) -> None:
    bodies, text = UNREAD[name]
    found = verdicts(BOTH, *bodies, PLAIN)
    own = [doubt.message for doubt in found["w"].doubts if doubt.decides]
    assert (len(own), found["w"].certain) == (1, False)
    assert text in own[0]
    if len(bodies) == 1:  # the other objects of the case are about both workloads
        (passed,) = [doubt.message for doubt in found["plain"].doubts]
        assert passed == "it could share a node or a limit with a/w, whose placement is uncertain"


@for_each("name", READ)
def test_what_is_read_is_no_doubt(name: str) -> None:
    found = verdicts(BOTH, *READ[name], deployment("plain", requests={"cpu": "1"}))
    assert [verdict.doubts for verdict in found.values()] == [(), ()]


def test_pods_that_cannot_share_a_node_get_no_doubt() -> None:
    gated = deployment("w", gpus=8, schedulingGates=[{"name": "example.com/wait"}])
    whole = deployment("whole", gpus=8)
    elsewhere = deployment("elsewhere")
    pools = [pool("h", H100X8), pool("a", A100)]
    assert [verdict.certain for verdict in verdicts(*pools, gated, whole, elsewhere).values()] == [True, False, True]
    limited = [pool("h", H100X8, limits={GPU: "16"}), pool("a", A100)]
    found = verdicts(*limited, gated, whole)
    assert not found["whole"].certain  # one of the two nodes that the limit allows may go to the other


@pytest.mark.parametrize(
    "held",
    [
        deployment("w", 2, gpus=8, schedulingGates=[{"name": "example.com/wait"}]),
        with_spec(job("w", parallelism=2, completions=2), suspend=True),
    ],
    ids=["gate", "suspend"],
)
def test_pods_that_are_held_back_are_in_the_maximum_only(held: Body) -> None:
    found = forecast(CLASS, BOTH, pool("h", H100X8), held)
    [verdict] = found.verdicts
    assert (verdict.low.replicas, verdict.high.replicas, found.low) == (0, 2, ())
    assert len(found.high) == verdict.high.nodes > 0


def test_a_rule_about_a_pod_with_a_doubt_is_a_doubt() -> None:
    gated = deployment("w", gpus=8, schedulingGates=[{"name": "example.com/wait"}])
    rule = spread("topology.kubernetes.io/zone", app="w")
    found = verdicts(pool("h", H100X8), pool("a", A100), gated, deployment("beside", topologySpreadConstraints=[rule]))
    assert not found["beside"].certain


def test_a_runtime_class_adds_its_overhead_and_node_selector() -> None:
    kata = runtime_class("kata", overhead={"podFixed": {"cpu": "20"}}, scheduling={"nodeSelector": {"team": "b"}})
    pools = [pool("a", A100, A100X4), pool("b", A100, A100X4, labels={"team": "b"})]
    verdict = only(*pools, kata, deployment("w", runtimeClassName="kata", requests={"cpu": "8"}))
    assert (verdict.pools, verdict.skus, verdict.doubts) == (("b",), (A100X4,), ())


@pytest.mark.parametrize(
    ("whole", "size"),
    [
        ({"limits": {"cpu": "40"}}, A100),  # the request of the container stays
        ({"requests": {"cpu": "40"}}, A100X4),
        ({"limits": {"memory": "300Gi"}}, A100X4),  # no container requests memory
    ],
)
def test_requests_of_the_pod_as_a_whole(whole: Body, size: str) -> None:
    assert only(BOTH, deployment("w", requests={"cpu": "1"}, resources=whole)).skus == (size,)


def test_label_keys_of_an_affinity_term_are_part_of_its_selector() -> None:
    def two(**keys: Any) -> tuple[str, ...]:
        term = {"labelSelector": {"matchLabels": {"app": "w"}}, **keys}
        body = deployment("w", 2, affinity=beside("podAntiAffinity", HOST, **term))
        body["spec"]["template"]["metadata"]["labels"]["hash"] = "1"
        return tuple(node.sku for node in forecast(CLASS, BOTH, body).high)

    assert two() == two(matchLabelKeys=["hash"]) == (A100, A100)
    assert two(mismatchLabelKeys=["hash"]) == (A100X4,)
    assert two(mismatchLabelKeys=["absent"]) == (A100, A100)


@pytest.mark.parametrize(("team", "sizes"), [("b", (A100X4,)), ("a", (A100, A100))])
def test_a_namespace_selector_selects_by_the_labels_of_namespaces(team: str, sizes: tuple[str, ...]) -> None:
    rule = beside("podAntiAffinity", HOST, labelSelector={}, namespaceSelector={"matchLabels": {"team": team}})
    space = with_metadata(of("Namespace", name="a", space=""), labels={"team": "a"})
    result = forecast(CLASS, BOTH, space, deployment("w", 2, affinity=rule))
    assert (tuple(found.sku for found in result.high), result.verdicts[0].certain) == (sizes, True)


@for_each(
    "expression",
    [
        wants(HOST, "NotIn", "n1"),
        wants("karpenter.sh/registered", "NotIn", "true"),
        wants("karpenter.azure.com/other", "DoesNotExist"),
        wants("karpenter.sh/capacity-type", "In", "reserved"),
    ],
    ids=lambda expression: expression["key"],
)
def test_karpenter_ignores_pods_with_such_labels(expression: Body) -> None:
    verdict = only(BOTH, deployment("w", affinity=nodes_with([expression])))
    assert (verdict.verdict, verdict.certain) == ("unschedulable", True)
    first = verdicts(BOTH, deployment("w", affinity=nodes_with([wants("team", "DoesNotExist")], [expression])))
    assert first["w"].verdict == "unschedulable"  # one of several terms is enough


def test_an_ignored_pod_runs_only_where_room_is_left() -> None:
    ignored = deployment("w", affinity=nodes_with([wants(HOST, "NotIn", "n1")]))
    assert verdicts(BOTH, ignored, PLAIN)["plain"].skus == (A100,)  # not the larger node for both
    found = verdicts(pool("a", A100X4), ignored, PLAIN)
    assert [doubt.message for doubt in found["w"].doubts] == [
        "Karpenter does not start a node for it: it uses what is free on nodes for other pods"
    ]
    assert found["plain"].certain
    there = verdicts(BOTH, node("n2", A100), ignored)["w"]
    assert (there.verdict, there.high.price, there.certain) == ("schedulable", 0, True)


def test_karpenter_knows_no_pool_of_a_new_node_in_rules_about_pods() -> None:
    alone = deployment("w", affinity=beside("podAntiAffinity", POOL, labelSelector={"matchLabels": {"app": "w"}}))
    verdict = only(BOTH, alone)
    assert (verdict.verdict, verdict.certain) == ("unschedulable", True)
    assert "no values of karpenter.sh/nodepool" in verdict.reasons[0].message
    soft = deployment("w", topologySpreadConstraints=[spread(POOL, "ScheduleAnyway")])
    assert only(BOTH, soft).skus == (A100,)
    running = [node("n1", A100X4, gpus=4), pod("old", "n1")]
    together = deployment("v", affinity=beside("podAffinity", POOL, labelSelector={"matchLabels": {"app": "w"}}))
    assert verdicts(BOTH, *running, together)["v"].verdict == "schedulable"


def priority(name: str, value: int, **more: Any) -> Body:
    """A PriorityClass."""
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
        **more,
    }


@pytest.mark.parametrize(
    ("classes", "certain"),
    [
        ([], False),  # the value of the class is unknown
        ([priority("high", 10)], False),
        ([priority("high", 10, preemptionPolicy="Never")], True),
        ([priority("high", 0)], True),
    ],
)
def test_a_pod_may_preempt_pods_with_a_lower_priority(classes: list[Body], certain: bool) -> None:
    there = [node("n1", A100), pod("old", "n1")]
    assert verdicts(BOTH, *there, *classes, deployment("w", priorityClassName="high"))["w"].certain == certain
    assert verdicts(BOTH, *there, *classes, deployment("w", priorityClassName="high", gpus=2))["w"].certain
    assert verdicts(BOTH, *classes, deployment("w", priorityClassName="high"))["w"].certain


def test_a_pod_with_a_higher_priority_may_get_the_node_of_another() -> None:
    low = deployment("low", requests={"cpu": "4"})
    high = deployment("high", priorityClassName="high")
    limited = pool("a", A100, limits={GPU: "1"})
    found = verdicts(limited, low, high, priority("high", 10))
    assert [verdict.certain for verdict in found.values()] == [False, False]
    assert all(verdict.certain for verdict in verdicts(BOTH, low, high, priority("high", 10)).values())
    assert all(verdict.certain for verdict in verdicts(limited, low, deployment("other")).values())


def test_encryption_at_host_that_a_size_may_not_have() -> None:
    encrypted = {**CLASS, "metadata": {"name": "e"}, "spec": {"security": {"encryptionAtHost": True}}}
    small, known = "Standard_NC4as_T4_v3", "Standard_NC16as_T4_v3"
    verdict = only(encrypted, pool("a", small, owner="e"), deployment("w"))
    assert [doubt.message for doubt in verdict.doubts] == [f"the catalog does not know encryptionAtHost of {small}"]
    assert only(encrypted, pool("a", known, owner="e"), deployment("w")).certain
    assert only(pool("a", small), deployment("w")).certain


def test_a_scaler_of_an_unknown_kind_is_a_doubt() -> None:
    template = {"metadata": {"labels": {"app": "w"}}, "spec": pod_spec()}
    server = of("Server", "example.com/v1", "w", spec={"replicas": 2, "template": template})
    scaling = hpa("w", 1, 5)
    scaling["spec"]["scaleTargetRef"] = {"apiVersion": "example.com/v1", "kind": "Server", "name": "w"}
    (of_kind,) = only(BOTH, server).doubts
    assert of_kind.message == "gitgpu does not know the kind Server, and counts its pods by its replicas"
    _, doubt = only(BOTH, server, scaling).doubts
    assert doubt.message == "HorizontalPodAutoscaler h scales it, but its own replicas were simulated"


def test_pods_of_another_version_of_a_known_kind_are_a_doubt() -> None:
    cluster = of("RayCluster", "ray.io/v2", "w", spec={"groups": [{"replicas": 3, "template": {"spec": pod_spec()}}]})
    verdict = only(BOTH, cluster)
    assert verdict.high.replicas == 3
    assert [doubt.message for doubt in verdict.doubts] == [
        "gitgpu does not know where this RayCluster has its pods, and counts its pods by its replicas"
    ]
