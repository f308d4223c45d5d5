"""DaemonSets that select nodes by labels: no other pool changes them, and they run on the same nodes."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.model.names.labels import MANAGED_GPU_LABEL
from tests.emit.fleets import (
    A10,
    A100,
    BY_NAME,
    CATALOG,
    CLUSTER_ID,
    H100,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    pool,
    selects,
)

FIXED = {"provisioner": "fixed", "nodes": {"min": 1, "max": 1}}
OWN = {"nvidia.com/device-plugin.config": "own"}
SPECS: tuple[Body, ...] = (
    {},
    {"sku": H100},
    {"sku": A10},
    {"capacity": ["spot"]},
    {"taints": [{"key": "a", "value": "b", "effect": "NoExecute"}]},
    {"taints": []},
    FIXED,
    {"partition": {"timeSlicing": {"replicas": 4}}},
    {"partition": {"mps": {"replicas": 4}}},
    {"partition": {"mps": {"replicas": 8}}},
    {"partition": {"mps": {"replicas": 4}}, "labels": OWN},
    {"sku": A100, "partition": {"mig": {"profiles": {"1g.10gb": 7}}}, **FIXED},
    {"sku": A100, "partition": {"mig": {"profiles": {"1g.10gb": 7}, "strategy": "mixed"}}, **FIXED},
    {"operatorOptOut": False},
    {"operatorOptOut": False, "partition": {"mps": {"replicas": 4}}},
    {"operatorOptOut": False, "labels": {"nvidia.com/gpu.deploy.operands": "true"}},
    {"driver": "managed"},
    {"driver": "managed", **FIXED},
    {"driver": "operator"},
    {"driver": "none"},
    {"driver": "aks-only"},
    {"os": "windows", "sku": A10, **FIXED},
    {"retire": True},
)
STACKS: tuple[Body, ...] = (
    {"discovery": "gfd"},
    {"metrics": {"scrape": "none", "counters": "profiling"}},
    {"metrics": {"scrape": "none", "counters": ["DCGM_FI_DEV_GPU_UTIL"]}},
)
APPS = ("nvidia-device-plugin", "gpu-feature-discovery", "nvidia-mps-control-daemon", "dcgm-exporter")


def many() -> st.SearchStrategy[list[Body]]:
    """Pools with all that makes a difference for a DaemonSet."""
    return st.lists(st.sampled_from(SPECS), min_size=1, max_size=5).map(
        lambda drawn: [pool(f"pool-{at}", **spec) for at, spec in enumerate(drawn)]
    )


def made(gpu_pools: Sequence[Body], **stack: Any) -> Emitted:
    """The output for a cluster with these pools."""
    return emitted(fleet(), cluster(resourceId=CLUSTER_ID, stack=stack), *gpu_pools)


def daemons(output: Emitted) -> dict[str, Body]:
    """The DaemonSets for NVIDIA's GPUs by name."""
    every = {body["metadata"]["name"]: body for body in output.every("DaemonSet")}
    return {name: body for name, body in every.items() if name.startswith(APPS)}


def affinity(daemon: Body) -> Body:
    """The affinity of its pods."""
    found: Body = daemon["spec"]["template"]["spec"]["affinity"]
    return found


@given(many(), st.sampled_from(STACKS), st.data())
def test_other_pools_change_no_daemon_set(gpu_pools: list[Body], stack: Body, data: st.DataObject) -> None:
    """A pool that is added has the DaemonSets of others, or further ones; with it go only its own."""
    left = data.draw(st.sampled_from(gpu_pools))
    all_daemons = daemons(made(gpu_pools, **stack))
    rest = [body for body in gpu_pools if body is not left]
    fewer = daemons(made(rest, **stack)) if rest else {}
    assert fewer == {name: all_daemons[name] for name in fewer}


@given(many(), st.sampled_from(STACKS))
def test_the_same_nodes_are_selected(gpu_pools: list[Body], stack: Body) -> None:
    """Each part of the software runs once on a node, on those that `pools` names, with labels of its own."""
    by_label = made(gpu_pools, **stack)
    by_name = made(gpu_pools, **stack, **BY_NAME)
    for app in APPS:
        counts = [
            Counter(
                name
                for daemon_name, daemon in daemons(output).items()
                if daemon_name.startswith(app)
                for name in output.selected(affinity(daemon))
            )
            for output in (by_label, by_name)
        ]
        assert counts[0] == counts[1], app
    selectors = [daemon["spec"]["selector"]["matchLabels"].items() for daemon in daemons(by_label).values()]
    pods = [daemon["spec"]["template"]["metadata"]["labels"].items() for daemon in daemons(by_label).values()]
    for selector in selectors:
        assert sum(selector <= labels for labels in pods) == 1


@given(many())
def test_privileges_are_those_that_the_nodes_need(gpu_pools: list[Body]) -> None:
    """Only nodes with MIG have a plugin with SYS_ADMIN."""
    output = made(gpu_pools)
    cut = [body["metadata"]["name"] for body in gpu_pools if "mig" in body["spec"].get("partition", {})]
    allowed = []
    for name, daemon in daemons(output).items():
        [plugin, *_] = daemon["spec"]["template"]["spec"]["containers"]
        if name.startswith(APPS[0]) and "SYS_ADMIN" in str(plugin["securityContext"]):
            allowed += output.selected(affinity(daemon))
    assert allowed == cut


def test_a_pool_without_the_label_has_daemon_sets_of_its_own() -> None:
    found = daemons(made([pool("t4"), pool("old", operatorOptOut=False)]))
    assert list(found) == [
        *("dcgm-exporter-profiling", "dcgm-exporter-profiling-pool-old"),
        *("nvidia-device-plugin", "nvidia-device-plugin-pool-old"),
    ]
    shared, own = (found[f"nvidia-device-plugin{part}"] for part in ("", "-pool-old"))
    nodes, elsewhere = {"karpenter.sh/nodepool": "old"}, {"karpenter.sh/nodepool": "elsewhere"}
    label = {"nvidia.com/gpu.deploy.operands": "false"}
    assert (selects(affinity(own), nodes), selects(affinity(own), elsewhere | label)) == (True, False)
    assert (selects(affinity(shared), nodes), selects(affinity(shared), elsewhere | label)) == (False, True)
    assert own["spec"]["template"]["metadata"]["labels"]["gitgpu.dev/pool"] == "old"
    after = own["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"]
    [term] = after["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["labelSelector"]["matchLabels"] == shared["spec"]["selector"]["matchLabels"]
    for daemon in found.values():
        assert daemon["spec"]["template"]["spec"]["tolerations"] == [{"operator": "Exists"}]


def test_the_service_finds_every_exporter() -> None:
    output = made([pool("t4"), pool("old", operatorOptOut=False)])
    selector = output.one("Service", "dcgm-exporter")["spec"]["selector"]
    exporters = [daemon for name, daemon in daemons(output).items() if name.startswith(APPS[3])]
    assert len(exporters) == 2
    assert all(selector.items() <= daemon["spec"]["template"]["metadata"]["labels"].items() for daemon in exporters)


def test_a_pool_with_sizes_of_both_kinds_has_an_exporter_on_every_node() -> None:
    """The size of a node says which one. By name, no node of the pool has profiling."""
    body = pool("both")
    body["spec"]["sku"] = [A100, "Standard_NV36ads_A10_v5"]
    output = made([body])
    sizes = {A100: "dcgm-exporter-profiling", "Standard_NV36ads_A10_v5": "dcgm-exporter"}
    label = {"nvidia.com/gpu.deploy.operands": "false"}
    for size, name in sizes.items():
        nodes = {**label, "node.kubernetes.io/instance-type": size}
        exporters = [other for other, daemon in daemons(output).items() if other.startswith(APPS[3])]
        assert [other for other in exporters if selects(affinity(daemons(output)[other]), nodes)] == [name]


@pytest.mark.parametrize(
    ("driver", "label"), [("aks", "nvidia.com/gpu.deploy.operands"), ("operator", "nvidia.com/dra-kubelet-plugin")]
)
def test_a_further_pool_does_not_change_the_dra_driver(driver: str, label: str) -> None:
    stack = {"allocation": "dra", "driver": driver}
    documents = [fleet(), cluster(stack=stack, kubernetesVersion="1.35"), pool("one-pool", A100)]
    further = pool("further", A100, taints=[{"key": "a", "value": "b", "effect": "NoSchedule"}])
    before, after = (
        [body["spec"]["values"] for body in emitted(*made).every("HelmRelease") if "dra" in body["metadata"]["name"]]
        for made in (documents, [*documents, further])
    )
    assert before == after
    [values] = before
    [term] = values["kubeletPlugin"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert term["matchExpressions"][0]["key"] == label


def test_the_label_of_managed_nodes_is_the_one_in_the_catalog() -> None:
    assert CATALOG.must("exporters", "aks-managed")["nodes"]["label"] == f"{MANAGED_GPU_LABEL}=enabled"
