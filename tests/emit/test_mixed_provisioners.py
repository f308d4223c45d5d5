"""Pools of one cluster whose nodes Karpenter, the cluster autoscaler or nobody adds."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit.delivery.flux_readiness import expressions
from gitgpu.emit.manifest import Layer
from gitgpu.emit.pages.cluster_commands import PAGE as CLUSTER_COMMANDS
from gitgpu.emit.pages.gpu_health import PAGE as HEALTH
from gitgpu.emit.pages.node_pools_commands import PAGE as COMMANDS
from tests.emit.fleets import (
    A100,
    BY_NAME,
    CLUSTER_ID,
    PROMETHEUS,
    Body,
    cluster,
    emitted,
    fleet,
    plans,
    pool,
    workload,
)

STACK = {"metrics": PROMETHEUS, "health": "npd"}
KARPENTER = pool("a100", A100)
FIXED = pool("t4", provisioner="fixed", nodes={"max": 3})
SCALED = pool("spare", provisioner="cluster-autoscaler", nodes={"min": 0, "max": 2})
BOTH: list[Body] = [
    {"key": "karpenter.sh/nodepool", "operator": "In", "values": ["a100"]},
    {"key": "kubernetes.azure.com/agentpool", "operator": "In", "values": ["t4"]},
]


def mixed(*more: Body, **spec: Any) -> list[Body]:
    """A cluster with node auto-provisioning, a NodePool and a fixed node pool."""
    stack = {**STACK, **spec.pop("stack", {})}
    return [fleet(), cluster(resourceId=CLUSTER_ID, stack=stack, **spec), KARPENTER, FIXED, *more]


def terms(pod: Body) -> list[Body]:
    """The expressions of a pod's node affinity, of which each term has one."""
    required = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    return [expression for term in required["nodeSelectorTerms"] for expression in term["matchExpressions"]]


def test_each_pool_becomes_what_its_provisioner_reads() -> None:
    made = emitted(*mixed())
    assert made.pools() == ["a100"]
    assert [body["metadata"]["name"] for body in made.every("AKSNodeClass")] == ["a100"]
    [node_pool] = made.every("ManagedClustersAgentPool")
    assert node_pool["spec"] | {"enableAutoScaling": False, "count": 3} == node_pool["spec"]


def test_software_and_workloads_run_on_the_nodes_of_both() -> None:
    made = emitted(*mixed(workload("llm", ["a100", "t4"]), stack=BY_NAME))
    for name in ("nvidia-device-plugin", "dcgm-exporter"):
        assert [term for each in made.every("DaemonSet") if each["metadata"]["name"].startswith(name)
                for term in terms(each["spec"]["template"]["spec"])] == BOTH  # fmt: skip
    assert terms(made.patches()["llm"]["spec"]["template"]["spec"]) == BOTH


def test_the_pages_are_for_both() -> None:
    plan = plans(*mixed())["one"]
    assert expressions(plan, Layer.NODES)
    page = HEALTH.write(plan)
    assert "delete nodeclaim" in page
    assert "delete-machines" in page
    assert "t4" in COMMANDS.write(plan)
    assert "a100" not in COMMANDS.write(plan)
    assert "--node-provisioning-mode Auto" in CLUSTER_COMMANDS.write(plan)


@pytest.mark.parametrize(("pools", "registered"), [([], False), ([SCALED], True)])
def test_two_autoscalers_need_a_feature(pools: list[Body], registered: bool) -> None:
    page = CLUSTER_COMMANDS.write(plans(*mixed(*pools))["one"])
    assert ("AllowClusterAutoscalerAndNAP" in page) is registered


def test_a_node_pool_of_karpenter_turns_it_on() -> None:
    documents = mixed(provisioner="fixed")
    documents[2] = pool("a100", A100, provisioner="nap")
    assert "--node-provisioning-mode Auto" in CLUSTER_COMMANDS.write(plans(*documents)["one"])


@pytest.mark.parametrize("nodes", [{"max": 3}, {"min": 3}, {"min": 3, "max": 3}])
def test_one_number_of_nodes_is_enough(nodes: Body) -> None:
    documents = mixed()
    documents[3] = pool("t4", provisioner="fixed", nodes=nodes)
    assert emitted(*documents).one("ManagedClustersAgentPool", "t4")["spec"]["count"] == 3


def test_a_retiring_fixed_pool_is_not_scaled_by_an_autoscaler() -> None:
    documents = mixed()
    documents[3] = pool("t4", provisioner="fixed", nodes={"max": 3}, retire=True)
    spec = emitted(*documents).one("ManagedClustersAgentPool", "t4")["spec"]
    assert (spec["enableAutoScaling"], spec["count"]) == (False, 3)


@given(st.sampled_from(["nap", "cluster-autoscaler", "fixed"]), st.integers(1, 4))
def test_the_default_and_the_same_value_on_each_pool_are_equal(provisioner: str, number: int) -> None:
    nodes: dict[str, Any] = {} if provisioner == "nap" else {"nodes": {"min": number, "max": number}}
    default = [fleet(), cluster(provisioner=provisioner, resourceId=CLUSTER_ID), pool("a", **nodes), pool("b", **nodes)]
    written = [*default[:2], *(pool(name, provisioner=provisioner, **nodes) for name in "ab")]
    one, other = (emitted(*documents).manifests for documents in (default, written))
    assert [manifest.body for manifest in one] == [manifest.body for manifest in other]


def test_a_fixed_pool_is_one_whose_minimum_is_its_maximum() -> None:
    nodes = {"min": 2, "max": 2}
    made = [
        emitted(fleet(), cluster(provisioner=provisioner, resourceId=CLUSTER_ID), pool("a", nodes=nodes)).manifests
        for provisioner in ("cluster-autoscaler", "fixed")
    ]
    assert [manifest.body for manifest in made[0]] == [manifest.body for manifest in made[1]]
