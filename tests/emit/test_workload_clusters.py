"""A workload on some of the clusters of its pools, and names of the cluster in what it scales on."""

import json
from typing import Any

import pytest

from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from tests.emit.fleets import CATALOG, CLUSTER_ID, PROMETHEUS, Body, cluster, emitted, fleet, pool, workload
from tests.helping.cases import for_each

NAMES = ("one", "two", "three")
CLUSTERS = [
    cluster("one", resourceId=CLUSTER_ID),
    {**cluster("two"), "metadata": {"name": "two", "labels": {"env": "lab"}}},
    cluster("three"),
]
POOL = pool("t4", clusters=["one", "two"])
SCALING = {"metric": "query", "target": 5, "min": 1, "max": 4}


def on(*documents: Body) -> set[str]:
    """The clusters that get a patch for the workload."""
    return {name for name in NAMES if emitted(fleet(), *CLUSTERS, POOL, *documents, name=name).patches()}


def faults(*documents: Body) -> list[str]:
    """The faults of linking, each with its place."""
    text = "\n---\n".join(json.dumps(body) for body in (fleet(), *CLUSTERS, POOL, *documents))
    shaped, misshapen = shape([Text("fleet.yaml", text, "fleet.yaml")])
    assert not misshapen
    return [f"{fault.code} {fault.pointer}: {fault.message}; {fault.help}" for fault in link(shaped, CATALOG)[1]]


@for_each(
    ("chosen", "expected"),
    [(None, {"one", "two"}), (["two"], {"two"}), (["one", "two"], {"one", "two"}),
     ({"matchLabels": {"env": "lab"}}, {"two"})],
)  # fmt: skip
def test_a_workload_is_on_the_chosen_clusters_of_its_pools(chosen: Any, expected: set[str]) -> None:
    assert on(workload("llm", ["t4"], **({"clusters": chosen} if chosen else {}))) == expected


def test_overrides_apply_on_the_chosen_clusters() -> None:
    more: list[Body] = [{"clusters": ["two"], "set": {"target": {"container": "server"}}}]
    work = workload("llm", ["t4"], clusters=["two"], overrides=more)
    assert on(work) == {"two"}
    pod = emitted(fleet(), *CLUSTERS, POOL, work, name="two").patches()["llm"]["spec"]["template"]["spec"]
    assert [container["name"] for container in pod["containers"]] == ["server"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (["nowhere"], ["LNK004 /spec/clusters/0: no Cluster is named 'nowhere'"]),
        (["two", "three"], ["LNK010 /spec/clusters/1: no pool of the workload is on cluster 'three'"]),
        ({"matchLabels": {"env": "prod"}}, ["LNK006 /spec/clusters/matchLabels: no Cluster has the labels env=prod"]),
    ],
)
def test_clusters_that_it_cannot_be_on(chosen: Any, expected: list[str]) -> None:
    found = faults(workload("llm", ["t4"], clusters=chosen))
    assert [fault.partition(";")[0] for fault in found] == expected


def test_an_override_cannot_choose_the_clusters() -> None:
    work = workload("llm", ["t4"], overrides=[{"clusters": ["two"], "set": {"clusters": ["two"]}}])
    assert [fault for fault in faults(work) if "select the clusters of the workload in spec.clusters" in fault]


def test_names_in_queries_and_addresses() -> None:
    query = 'sum(waiting{cluster="{cluster}",namespace="{namespace}",app=~"{name}-.{6}"})'
    stack = {"metrics": {**PROMETHEUS, "server": "http://{cluster}.metrics.contoso.com"}}
    work = workload("llm", ["t4"], scaling={**SCALING, "query": query})
    for name, aks in (("one", "azure-one"), ("two", "two")):
        [scaled] = emitted(fleet(stack=stack), *CLUSTERS, POOL, work, name=name).every("ScaledObject")
        [trigger] = scaled["spec"]["triggers"]
        assert trigger["metadata"]["query"] == f'sum(waiting{{cluster="{aks}",namespace="serving",app=~"llm-.{{6}}"}})'
        assert trigger["metadata"]["serverAddress"] == f"http://{aks}.metrics.contoso.com"


def test_names_in_queues_of_azure() -> None:
    triggers = [
        {"storageQueue": {"account": "contosojobs", "queue": "{namespace}-{name}-{cluster}"}, "target": 5},
        {
            "serviceBus": {"namespace": "bus-{cluster}", "topic": {"name": "{name}", "subscription": "{cluster}"}},
            "target": 5,
        },
    ]
    identity = "11111111-2222-3333-4444-555555555555"
    work = workload("llm", ["t4"], scaling={"triggers": triggers, "identity": identity, "min": 1, "max": 4})
    [scaled] = emitted(fleet(), *CLUSTERS, POOL, work).every("ScaledObject")
    queue, topic = (trigger["metadata"] for trigger in scaled["spec"]["triggers"])
    assert (queue["accountName"], queue["queueName"]) == ("contosojobs", "serving-llm-azure-one")
    named = {key: topic[key] for key in ("namespace", "topicName", "subscriptionName")}
    assert named == {"namespace": "bus-azure-one", "topicName": "llm", "subscriptionName": "azure-one"}


@pytest.mark.parametrize(("written", "expected"), [({}, "AverageValue"), ({"metricType": "Value"}, "Value")])
def test_the_metric_type_of_a_query(written: Body, expected: str) -> None:
    query = {"metric": "query", "query": "sum(waiting)", "target": 5, "min": 1, "max": 4, **written}
    listed = {"triggers": [{"query": "sum(waiting)", "target": 5, **written}], "min": 1, "max": 4}
    for scaling in (query, listed):
        work = workload("llm", ["t4"], scaling=scaling)
        [scaled] = emitted(fleet(), *CLUSTERS, POOL, work).every("ScaledObject")
        assert [trigger["metricType"] for trigger in scaled["spec"]["triggers"]] == [expected]


def test_workloads_of_one_name_may_be_on_disjoint_clusters() -> None:
    target = {"kind": "Deployment", "name": "llm"}
    one, two = (
        workload("llm", ["t4"], clusters=[name], target={**target, "container": f"of-{name}"})
        for name in ("one", "two")
    )
    assert not any("LNK003" in line for line in faults(one, two))
    assert on(one, two) == {"one", "two"}
    for name in ("one", "two"):
        pod = emitted(fleet(), *CLUSTERS, POOL, one, two, name=name).patches()["llm"]["spec"]["template"]["spec"]
        assert [container["name"] for container in pod["containers"]] == [f"of-{name}"]


@pytest.mark.parametrize("other", [None, ["two", "one"], {"matchLabels": {"env": "lab"}}])
def test_workloads_of_one_name_may_not_share_a_cluster(other: Any) -> None:
    first = workload("llm", ["t4"], clusters=["two"])
    double = workload("llm", ["t4"], **({"clusters": other} if other else {}))
    [line] = [line for line in faults(first, double) if line.startswith("LNK003")]
    assert "duplicate GpuWorkload 'llm'" in line
    assert (" on two; the first is at" in line) is (other is not None)
