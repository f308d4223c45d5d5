"""Everything that gitgpu adds to a pool can be omitted or renamed, and existing resources can be used."""

from typing import Any

import pytest

from tests.emit.fleets import A100, SUBNET_ID, T4, Body, cluster, document, emitted, fleet, pool, workload

CONFIG, LAYOUT = "nvidia.com/device-plugin.config", "nvidia.com/mig.config"
HELD_BACK, OPT_OUT = "nvidia.com/gpu.deploy.device-plugin", "nvidia.com/gpu.deploy.operands"
SHARED: Body = {"partition": {"timeSlicing": {"replicas": 2}}}
CUT: Body = {
    "partition": {"mig": {"profiles": {"1g.10gb": 7}}},
    "driver": "operator",
    "image": {"family": "Ubuntu2204"},
}


def made(*documents: Body, **spec: Any) -> Body:
    """The spec of the NodePool of one pool."""
    own = documents or (fleet(), cluster())
    written: Body = emitted(*own, pool("a", **spec)).one("NodePool", "a")["spec"]
    return written


def labels(spec: Body) -> Body:
    """The labels of the nodes."""
    node_labels: Body = spec["template"].get("metadata", {}).get("labels", {})
    return node_labels


def test_null_omits_a_label() -> None:
    assert labels(made(labels={OPT_OUT: None, "contoso.com/a": "b"})) == {"contoso.com/a": "b"}
    assert HELD_BACK in labels(made(sku=A100, **CUT))
    assert HELD_BACK not in labels(made(sku=A100, labels={HELD_BACK: None}, **CUT))
    fleet_document = fleet(pool={"labels": {OPT_OUT: None}})
    assert labels(made(fleet_document, cluster())) == {}
    assert labels(made(fleet_document, cluster(), labels={"contoso.com/a": "b"})) == {"contoso.com/a": "b"}


def test_a_label_names_the_configuration_of_the_device_plugin() -> None:
    output = emitted(fleet(), cluster(), pool("a", labels={CONFIG: "shared"}, **SHARED), pool("b", **SHARED))
    assert labels(output.one("NodePool", "a")["spec"])[CONFIG] == "shared"
    assert labels(output.one("NodePool", "b")["spec"])[CONFIG] == "time-slicing-2"
    configurations = output.one("ConfigMap", "nvidia-device-plugin")["data"]
    assert configurations["shared"] == configurations["time-slicing-2"] != configurations["default"]


def test_a_label_names_the_layout_of_mig() -> None:
    output = emitted(fleet(), cluster(), pool("a", A100, labels={LAYOUT: "all-1g.10gb"}, **CUT))
    assert labels(output.one("NodePool", "a")["spec"])[LAYOUT] == "all-1g.10gb"
    values = output.operator_values()
    assert values
    assert "all-1g.10gb" in values["migManager"]["config"]["data"]["config.yaml"]


@pytest.mark.parametrize("key", [CONFIG, LAYOUT, OPT_OUT])
def test_labels_of_other_software_can_be_set(key: str) -> None:
    assert labels(made(driver="none", labels={key: "mine"})) == {key: "mine"}


def test_spot_nodes_can_go_without_their_taint() -> None:
    template = made(capacity=["spot"], taints=[], spotTaint=False)["template"]["spec"]
    assert "taints" not in template


def test_workloads_still_tolerate_the_taint_that_aks_could_set() -> None:
    output = emitted(fleet(), cluster(), pool("a", capacity=["spot"], spotTaint=False), workload("w", ["a"]))
    pod = output.patches()["w"]["spec"]["template"]["spec"]
    assert "kubernetes.azure.com/scalesetpriority" in {each["key"] for each in pod["tolerations"]}


def test_a_pool_has_its_own_subnet() -> None:
    other = SUBNET_ID.replace("gpu", "other")
    output = emitted(fleet(), cluster(network={"subnet": SUBNET_ID}), pool("a", subnet=other), pool("b"))
    subnets = [body["spec"]["vnetSubnetID"] for body in output.every("AKSNodeClass")]
    assert subnets == [other, SUBNET_ID]


def test_limits_can_have_the_resource_names_of_kubernetes() -> None:
    limits = {"cpu": 100, "resources": {"nvidia.com/gpu": 8, "ephemeral-storage": "10Ti"}}
    assert made(limits=limits)["limits"] == {"cpu": "100", "nvidia.com/gpu": "8", "ephemeral-storage": "10Ti"}
    assert made(limits={"resources": {"nvidia.com/gpu": 8}}, **SHARED)["limits"] == {"nvidia.com/gpu": "8"}


def test_annotations_of_nodes_come_from_defaults_and_overrides_too() -> None:
    fleet_document = fleet(pool={"annotations": {"a": "fleet", "b": "fleet"}})
    differs = [{"clusters": ["one"], "set": {"annotations": {"b": "override"}}}]
    annotations = made(fleet_document, cluster(), overrides=differs)["template"]["metadata"]["annotations"]
    assert annotations == {"a": "fleet", "b": "override"}
    plain = emitted(fleet_document, cluster(), pool("a")).one("AKSNodeClass", "a")
    assert "a" not in plain["metadata"].get("annotations", {})


def test_exact_requirements_keep_their_order_and_get_no_others() -> None:
    wanted = [
        {"key": "karpenter.azure.com/sku-gpu-name", "operator": "In", "values": ["T4"]},
        {"key": "a.b/c", "operator": "DoesNotExist"},
    ]
    own = document("GpuPool", "a", {"clusters": ["one"], "nodeRequirements": wanted, "limits": {"gpus": 4}})
    spec = emitted(fleet(), cluster(), own).one("NodePool", "a")["spec"]
    assert spec["template"]["spec"]["requirements"] == wanted
    assert spec["limits"] == {"nvidia.com/gpu": "4"}
    named = made(sku=T4, nodeRequirements=wanted[1:])["template"]["spec"]["requirements"]
    assert wanted[1] in named
    assert len(named) > 1
