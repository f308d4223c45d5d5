"""Queries for scaling: they use existing labels and match exactly the pods of their workload."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.plan.decided.cluster import Trigger
from tests.emit.fleets import AZURE, CATALOG, PROMETHEUS, Body, cluster, emitted, fleet, plans, pool, workload
from tests.helping.cases import for_each

GPU_METRICS = ("gpu-utilization", "gpu-memory", "tensor-activity")
DRAWN = "bcdfghjklmnpqrstvwxz2456789"  # characters of generated names in Kubernetes: no vowels, no 0, 1, 3
ENDINGS = st.text(DRAWN, min_size=5, max_size=5)
HASHES = st.text(DRAWN, min_size=8, max_size=10)
NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,40}[a-z0-9])?", fullmatch=True)


def trigger(name: str = "ranker", kind: str = "Deployment", metrics: Body = PROMETHEUS, **scaling: object) -> Trigger:
    """The trigger of a workload on a pool of T4s."""
    spec = {"target": {"kind": kind, "name": name}, "scaling": {"target": 70, "max": 4, **scaling}}
    by_cluster = plans(fleet(stack={"metrics": metrics}), cluster(), pool("t4"), workload("scaled", ["t4"], **spec))
    [plan] = by_cluster["one"].workloads
    [only] = plan.triggers
    return only


def selectors(query: str) -> list[dict[str, str]]:
    """The label matchers of each selector in a query, with their operators."""
    texts = re.findall(r"\{(.*?)\}(?=[)])", query)
    assert texts
    return [{label: op + value for label, op, value in re.findall(r'(\w+)(=~|=)"(.*?)"', text)} for text in texts]


def pods(name: str, kind: str = "Deployment") -> re.Pattern[str]:
    """The pattern for the pods of a workload in a query. Prometheus matches complete values."""
    [selector, *others] = selectors(trigger(name, kind).metadata["query"])
    assert all(other == selector for other in others)
    return re.compile(selector["pod"].removeprefix("=~"))


@for_each("metric", GPU_METRICS)
@for_each("metrics", [AZURE, PROMETHEUS], ids=("azure-managed", "prometheus-operator"))
def test_a_query_uses_labels_that_exist(metric: str, metrics: Body) -> None:
    """The exporter sets `namespace` and `pod`; Azure's workspace, not a cluster's Prometheus, adds the cluster."""
    for labels in selectors(trigger(metrics=metrics, metric=metric).metadata["query"]):
        shared = {"cluster": "=one"} if metrics["scrape"] == "azure-managed" else {}
        assert labels == {**shared, "namespace": "=serving", "pod": labels["pod"]}


@pytest.mark.parametrize("metric", GPU_METRICS)
def test_a_query_reads_the_fields_of_its_metric(metric: str) -> None:
    fields = set(re.findall(r"DCGM_\w+", trigger(metric=metric).metadata["query"]))
    assert fields == set(CATALOG.must("metrics", metric)["fields"])


@given(NAMES, HASHES, ENDINGS)
def test_the_pods_of_a_deployment(name: str, drawn: str, ending: str) -> None:
    """A pod has the name of its ReplicaSet, cut at 58 characters, and five random characters."""
    assert pods(name).fullmatch(f"{name}-{drawn}-"[:58] + ending)


@given(st.integers(44, 63), HASHES, ENDINGS)
def test_the_pods_of_a_deployment_with_a_long_name(length: int, drawn: str, ending: str) -> None:
    name = "r" * length
    assert pods(name).fullmatch(f"{name}-{drawn}-"[:58] + ending)


@given(NAMES, st.integers(0, 12_000))
def test_the_pods_of_a_stateful_set(name: str, ordinal: int) -> None:
    assert pods(name, "StatefulSet").fullmatch(f"{name}-{ordinal}")


@for_each("kind", ["Deployment", "StatefulSet"])
@for_each(
    "other",
    [
        *("ranker-canary-7c9f5d8b6-x2x4z", "ranker-v2-7c9f5d8b6-x2x4z", "my-ranker-7c9f5d8b6-x2x4z"),  # Deployments
        *("ranke-7c9f5d8b6-x2x4z", "rankers-7c9f5d8b6-x2x4z", "rank-er-7c9f5d8b6-x2x4z"),
        *("ranker-canary-0", "ranker-v2-11", "my-ranker-0", "rankers-0"),  # StatefulSets
        *("ranker-canary-x2x4z", "ranker-v2-x2x4z", "ranker-batch-x2x4z", "ranker-29381170-x2x4z"),  # DaemonSets, Jobs
        *("ranker", "ranker-", "ranker-7c9f5d8b6", "ranker--x2x4z"),
    ],
)
def test_the_pods_of_other_kinds(kind: str, other: str) -> None:
    assert not pods("ranker", kind).fullmatch(other)


def test_the_pods_of_the_other_kind() -> None:
    assert not pods("ranker", "StatefulSet").fullmatch("ranker-7c9f5d8b6-x2x4z")
    assert not pods("ranker").fullmatch("ranker-0")


@pytest.mark.parametrize(("metrics", "asked_as"), [(AZURE, AZURE["identity"]), (PROMETHEUS, None)])
def test_the_server_and_identity_of_triggers(metrics: Body, asked_as: str | None) -> None:
    result = trigger(metrics=metrics)
    assert (result.metadata["serverAddress"], result.identity) == (metrics["server"], asked_as)


@pytest.mark.parametrize(("target", "threshold"), [(70, "70"), (0.5, "0.5"), (12.25, "12.25")])
def test_a_threshold_is_plain_text(target: float, threshold: str) -> None:
    assert trigger(target=target).metadata["threshold"] == threshold


@pytest.mark.parametrize("target", [1234567, 1000000, 123456.75])
def test_a_large_threshold_loses_nothing(target: float) -> None:
    """Custom queries may count anything, and KEDA reads the threshold as a number."""
    assert float(trigger(metric="query", query="sum(tokens)", target=target).metadata["threshold"]) == target


def test_the_trigger_for_a_metric_and_for_a_custom_query() -> None:
    """An average is kept as it is; a sum is divided among the replicas. A missing GPU metric is a fault, never zero."""
    own = {"metric": "query", "query": 'sum(waiting{app="chat"})', "target": 5, "min": 0, "max": 8, "cooldown": "15m"}
    output = emitted(
        fleet(stack={"metrics": AZURE}),
        cluster(),
        pool("t4"),
        workload("ranker", ["t4"], scaling={"target": 70, "max": 4}),
        workload("chat", ["t4"], scaling=own),
    )
    ranker, chat = (output.one("ScaledObject", name)["spec"] for name in ("ranker", "chat"))
    [by_gpu], [by_query] = ranker["triggers"], chat["triggers"]
    assert (by_gpu["metricType"], by_query["metricType"]) == ("Value", "AverageValue")
    assert by_gpu["metadata"]["ignoreNullValues"] == "false"
    assert "ignoreNullValues" not in by_query["metadata"]
    assert by_query["metadata"]["query"] == own["query"]
    assert (ranker["minReplicaCount"], ranker["maxReplicaCount"]) == (1, 4)
    assert (chat["minReplicaCount"], chat["maxReplicaCount"], chat["cooldownPeriod"]) == (0, 8, 900)
    for name, trigger_of in (("ranker", by_gpu), ("chat", by_query)):
        authentication = output.one("TriggerAuthentication", trigger_of["authenticationRef"]["name"])
        assert authentication["metadata"] == {**authentication["metadata"], "name": name, "namespace": "serving"}
        assert authentication["spec"]["podIdentity"] == {"provider": "azure-workload", "identityId": AZURE["identity"]}


def test_a_prometheus_of_the_cluster_needs_no_authentication() -> None:
    output = emitted(fleet(), cluster(), pool("t4"), workload("ranker", ["t4"], scaling={"target": 70, "max": 4}))
    assert output.every("TriggerAuthentication") == []
    assert "authenticationRef" not in output.one("ScaledObject", "ranker")["spec"]["triggers"][0]


def test_a_scaled_object_targets_what_is_patched() -> None:
    target = {"kind": "StatefulSet", "name": "trainer"}
    trainer = workload("w", ["t4"], target=target, scaling={"target": 7, "max": 2})
    output = emitted(fleet(), cluster(), pool("t4"), trainer)
    patch, scaled = output.patches()["trainer"], output.one("ScaledObject", "w")
    ref = {"apiVersion": patch["apiVersion"], "kind": patch["kind"], "name": patch["metadata"]["name"]}
    assert scaled["spec"]["scaleTargetRef"] == ref


def test_a_workload_without_scaling_has_no_scaler() -> None:
    output = emitted(fleet(), cluster(), pool("t4"), workload("ranker", ["t4"]))
    assert output.every("ScaledObject") == []
    assert list(output.patches()) == ["ranker"]
