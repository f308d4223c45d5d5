"""MIG with the GPU Operator: its configuration, the labels of new nodes, and what pods request."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given

from gitgpu.emit.chart.mig_layouts import mig_values
from gitgpu.plan.cluster_plan import plan
from tests.emit.fleets import A100, H100, T4, Body, cluster, emitted, fleet, pool, pools, workload
from tests.helping.cases import for_each
from tests.plan.test_mig import inputs_of

OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
LAYOUT, PLUGIN = "nvidia.com/mig.config", "nvidia.com/gpu.deploy.device-plugin"


def cut(name: str = "slices", sku: str = A100, **profiles: Any) -> Body:
    """A pool whose GPUs the operator partitions, by default into seven instances."""
    return pool(name, sku, **OPERATED, partition={"mig": {"profiles": profiles.get("profiles", {"1g.10gb": 7})}})


def labels(node_pool: Body) -> dict[str, str]:
    """The labels of the nodes of a NodePool."""
    node_labels: dict[str, str] = node_pool["spec"]["template"].get("metadata", {}).get("labels", {})
    return node_labels


def layouts(values: Body | None) -> Body:
    """The layouts in the configuration of the operator's MIG manager."""
    config = (values or {})["migManager"]["config"]
    assert config["create"] is True, "without it the chart creates no ConfigMap"
    assert config["name"], "without it the manager reads what it makes from the hardware"
    [(key, text)] = config["data"].items()
    assert key == "config.yaml", "the manager reads no other key"
    parsed: Body = yaml.load(text, yaml.CSafeLoader)
    assert parsed == json.loads(text)
    assert parsed["version"] == "v1"
    return dict(parsed["mig-configs"])


def test_nodes_select_a_layout_that_the_manager_has() -> None:
    output = emitted(fleet(), cluster(), cut(), cut("halves", H100, profiles={"3g.47gb": 2}), pool("whole", **OPERATED))
    known = layouts(output.operator_values())
    chosen = {name: labels(output.one("NodePool", name)).get(LAYOUT) for name in ("slices", "halves", "whole")}
    assert chosen == {"slices": "7x1g.10gb", "halves": "2x3g.47gb", "whole": None}
    assert known["7x1g.10gb"] == [{"devices": "all", "mig-enabled": True, "mig-devices": {"1g.10gb": 7}}]
    assert set(known) == {"7x1g.10gb", "2x3g.47gb", "all-disabled"}


def test_a_node_that_asks_for_no_layout_keeps_whole_gpus() -> None:
    """The operator refers to this layout by name, and a custom file replaces its default layouts."""
    known = layouts(emitted(fleet(), cluster(), cut()).operator_values())
    assert known["all-disabled"] == [{"devices": "all", "mig-enabled": False}]


def test_no_gpu_is_advertised_before_it_is_partitioned() -> None:
    """The manager updates the label when it is done, so a node that starts with the label waits for it."""
    output = emitted(fleet(), cluster(), cut(), pool("whole", H100, **OPERATED))
    assert labels(output.one("NodePool", "slices"))[PLUGIN] == "paused-for-mig-change"
    assert PLUGIN not in labels(output.one("NodePool", "whole"))


def test_the_manager_may_reboot_and_gets_the_strategy() -> None:
    values = emitted(fleet(), cluster(), cut()).operator_values() or {}
    assert values["mig"] == {"strategy": "single"}
    assert values["migManager"]["env"] == [{"name": "WITH_REBOOT", "value": "true"}]


@given(pools())
def test_only_pools_with_mig_are_labelled_so(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    values = result.operator_values() or {}
    wanted = {body["metadata"]["name"] for body in gpu_pools if "mig" in body["spec"].get("partition", {})}
    assert ({"mig", "migManager"} <= values.keys()) is bool(wanted)
    assert {body["metadata"]["name"] for body in result.every("NodePool") if LAYOUT in labels(body)} == wanted
    assert {body["metadata"]["name"] for body in result.every("NodePool") if PLUGIN in labels(body)} == wanted


def test_a_layout_for_each_gpu_is_given_by_its_number() -> None:
    """A list needs the strategy `mixed`, which is not possible with Karpenter, so the rules are skipped here."""
    each = [{"3g.40gb": 2}, {"1g.10gb": 7}, {}, {}]
    partition = {"mig": {"strategy": "mixed", "profiles": each}}
    inputs = inputs_of(fleet(), cluster(), pool("p", "Standard_NC96ads_A100_v4", **OPERATED, partition=partition))
    operator = plan(inputs, inputs.clusters[0]).operator
    assert operator is not None
    assert operator.partitioning is not None
    values = mig_values(operator.partitioning)
    [groups] = [groups for name, groups in layouts(values).items() if name != "all-disabled"]
    assert [group["devices"] for group in groups] == [[0], [1], [2], [3]]
    assert [group.get("mig-devices") for group in groups] == [{"3g.40gb": 2}, {"1g.10gb": 7}, None, None]
    assert values["mig"] == {"strategy": "mixed"}


@pytest.mark.parametrize(("strategy", "asked"), [("single", "nvidia.com/gpu"), ("mixed", "nvidia.com/mig-1g.10gb")])
def test_which_resources_pods_request(strategy: str, asked: str) -> None:
    mig = {"strategy": strategy, "profiles": {"1g.10gb": 7}}
    inputs = inputs_of(
        fleet(), cluster(), pool("p", A100, **OPERATED, partition={"mig": mig}), workload("w", ["p"], mig="1g.10gb")
    )
    [planned] = plan(inputs, inputs.clusters[0]).workloads
    assert planned.resource == asked


@for_each(
    ("spec", "limits"),
    [
        ({"partition": {"timeSlicing": {"replicas": 4}}}, {"nvidia.com/gpu": "64", "nodes": "16"}),
        ({"partition": {"mps": {"replicas": 2}}, "limits": {"gpus": 3}}, {"nvidia.com/gpu": "6", "nodes": "3"}),
        (
            {"partition": {"mps": {"replicas": 2}}, "limits": {"gpus": 9, "nodes": 2}},
            {"nvidia.com/gpu": "18", "nodes": "2"},
        ),
        ({"partition": {"mps": {"replicas": 2}}, "limits": {"nodes": 2}}, {"nodes": "2"}),
        (
            {"sku": "Standard_NC64as_T4_v3", "partition": {"mps": {"replicas": 2}}},
            {"nvidia.com/gpu": "32", "nodes": "4"},
        ),
        ({"sku": [T4, "Standard_NC64as_T4_v3"], "partition": {"mps": {"replicas": 2}}}, {"nvidia.com/gpu": "16"}),
        ({}, {"nvidia.com/gpu": "16"}),
    ],
)
def test_limits_hold_before_and_after_a_node_advertises_its_shares(spec: Body, limits: Body) -> None:
    output = emitted(fleet(), cluster(), pool("p", **{"sku": T4, **spec}))
    assert output.one("NodePool", "p")["spec"]["limits"] == limits


def test_a_branch_is_a_driver_object_for_its_pool_only() -> None:
    taints = [{"key": "team", "value": "search", "effect": "NoSchedule"}]
    old = pool("old", H100, **OPERATED, driverBranch=580, taints=taints, capacity=["spot"])
    output = emitted(fleet(), cluster(), old, pool("new", A100, **OPERATED))
    [driver] = output.every("NVIDIADriver")
    assert driver["spec"]["nodeSelector"] == {"karpenter.sh/nodepool": "old"}
    assert driver["spec"]["version"].startswith("580.")
    assert {toleration["key"] for toleration in driver["spec"]["tolerations"]} == {
        "team",
        "kubernetes.azure.com/scalesetpriority",
    }
    assert (output.operator_values() or {})["driver"] == {"nvidiaDriverCRD": {"enabled": True}}


@pytest.mark.parametrize("version", ["v25.10.1", "v26.3.3"])
def test_older_operators_have_a_driver_object_for_every_pool_or_for_none(version: str) -> None:
    """Their own default selects all nodes, and the operator installs no driver where two objects select a node."""
    pinned = cluster(stack={"versions": {"gpu-operator": version}})
    old, new = pool("old", H100, **OPERATED, driverBranch="570"), pool("new", A100, **OPERATED)
    output = emitted(fleet(), pinned, old, new)
    assert (output.operator_values() or {})["driver"] == {
        "nvidiaDriverCRD": {"enabled": True, "deployDefaultCR": False}
    }
    versions = {
        body["spec"]["nodeSelector"]["karpenter.sh/nodepool"]: body["spec"]["version"]
        for body in output.every("NVIDIADriver")
    }
    assert versions.keys() == {"old", "new"}
    assert versions["old"].startswith("570.")
    assert versions["new"].startswith("580."), "the default of the release"
    without = emitted(fleet(), pinned, pool("old", H100, **OPERATED), new)
    assert without.every("NVIDIADriver") == []
    assert "driver" not in (without.operator_values() or {}), "turning the mode on deletes the drivers that run"
