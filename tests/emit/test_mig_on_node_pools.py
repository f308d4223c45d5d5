"""MIG on AKS node pools: partitioned by AKS, or by the GPU Operator."""

import json
from typing import Any

import pytest

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.rules.inputs.node_pools import EXAMPLE
from tests.emit.fleets import A100, Body, Emitted, emitted, fleet, pool, workload

[HEAD], _ = parse(Text("cluster.yaml", EXAMPLE, "cluster.yaml"))
CLUSTER: Body = {**HEAD.data, "metadata": {"name": "one"}}


def made(driver: str, **mig: Any) -> Emitted:
    """The output for a node pool with MIG, and for a workload on a seventh of its GPUs."""
    spec = {"driver": driver, "image": {"family": "Ubuntu2204"}, "nodes": {"min": 1, "max": 2}}
    cut = pool("slices", A100, **spec, partition={"mig": {"profiles": {"1g.10gb": 7}, **mig}})
    del cut["spec"]["limits"]
    return emitted(fleet(), CLUSTER, cut, workload("w", ["slices"], mig="1g.10gb"))


@pytest.mark.parametrize(("strategy", "asked"), [("single", "nvidia.com/gpu"), ("mixed", "nvidia.com/mig-1g.10gb")])
def test_aks_partitions_and_gitgpus_plugin_advertises(strategy: str, asked: str) -> None:
    output = made("aks", strategy=strategy)
    [azure] = [body["spec"] for body in output.every("ManagedClustersAgentPool")]
    assert azure["gpuInstanceProfile"] == "MIG1g"
    assert azure["nodeLabels"]["nvidia.com/device-plugin.config"] == f"mig-{strategy}"
    configs = output.one("ConfigMap", "nvidia-device-plugin")["data"]
    assert json.loads(configs[f"mig-{strategy}"])["flags"] == {"migStrategy": strategy}
    spec = output.one("DaemonSet", "nvidia-device-plugin-mig")["spec"]["template"]["spec"]
    plugin = spec["containers"][0]
    assert {"name": "NVIDIA_MIG_MONITOR_DEVICES", "value": "all"} in plugin["env"]
    assert plugin["securityContext"] == {"capabilities": {"add": ["SYS_ADMIN"]}}
    assert output.patches()["w"]["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] == {asked: "1"}


def test_only_the_operator_partitions_and_no_label_blocks_its_plugin_indefinitely() -> None:
    """AKS sets the labels again whenever the pool changes, and the manager would not remove them again."""
    output = made("operator", strategy="mixed")
    [azure] = [body["spec"] for body in output.every("ManagedClustersAgentPool")]
    assert "gpuInstanceProfile" not in azure
    assert azure["nodeLabels"] == {"nvidia.com/mig.config": "7x1g.10gb"}
    assert (output.operator_values() or {})["mig"] == {"strategy": "mixed"}
