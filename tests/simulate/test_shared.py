"""Shared GPUs: what Karpenter assumes about a node, and what the scheduler sees once the device plugin runs."""

import json
from typing import Any

import pytest

from tests.simulate.clusters import hpa
from tests.simulate.worlds import A100, GPU, POOL, T4, T4X4, Body, deployment, only, pool, verdicts, wants


def plugin(replicas: int, way: str = "timeSlicing", **more: object) -> Body:
    """A device plugin configuration that is named after the pool."""
    reported = {"version": "v1", "sharing": {way: {**more, "resources": [{"name": GPU, "replicas": replicas}]}}}
    meta = {"name": "plugin", "namespace": "gpu-resources"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"t4": json.dumps(reported)}}


def shared(**spec: Any) -> Body:
    """A pool whose nodes select this configuration."""
    return pool("t4", T4, labels={"nvidia.com/device-plugin.config": "t4"}, **spec)


def test_time_sliced_pods_share_a_gpu_once_nodes_are_up() -> None:
    result = only(shared(), plugin(4), deployment("w", 8))
    assert (result.verdict, result.high.nodes, result.high.gpus, result.together) == ("schedulable", 2, 2, 8)
    assert only(shared(), plugin(4, "mps"), deployment("w", 8)).high.nodes == 2
    assert only(shared(), deployment("w", 8)).high.nodes == 8


@pytest.mark.parametrize(("version", "nodes"), [(None, 2), ("v1", 2), ("v2", 8)])
def test_a_configuration_without_a_version_is_v1(version: str | None, nodes: int) -> None:
    """The plugin accepts only version v1, and assumes it if there is none."""
    written = plugin(4)
    reported = {key: value for key, value in json.loads(written["data"]["t4"]).items() if key != "version"}
    given = {**reported, **({"version": version} if version else {})}
    assert only(shared(), {**written, "data": {"t4": json.dumps(given)}}, deployment("w", 8)).high.nodes == nodes


def test_karpenter_counts_whole_gpus_when_it_starts_a_node() -> None:
    result = only(shared(), plugin(4), deployment("w", gpus=2))
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "resource")
    assert "until its device plugin runs" in result.reasons[0].message


def test_karpenter_never_starts_a_node_for_the_shared_resource() -> None:
    asks = deployment("w", gpus=0, limits={"nvidia.com/gpu.shared": "1"})
    result = only(shared(), plugin(4, renameByDefault=True), asks)
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "resource")


def test_a_limit_that_counts_shares_once_nodes_are_up_is_a_doubt() -> None:
    for most in ("2", "4", "7"):
        result = only(shared(limits={GPU: most}), plugin(4), deployment("w", 8))
        assert (result.verdict, [doubt.kind for doubt in result.doubts]) == ("schedulable", ["limit"])
        assert result.doubts[0].message == (
            f"once they run, the nodes of t4 count as 8 nvidia.com/gpu, but its limit is {most}: the last of them may "
            "not start, depending on the order"
        )
    assert only(shared(limits={GPU: "8"}), plugin(4), deployment("w", 8)).certain


def test_two_replicas_are_enough_to_share_a_gpu() -> None:
    result = only(shared(), plugin(4), deployment("w"), hpa("w", 2, 8))
    assert (result.low.nodes, result.high.nodes) == (1, 2)


def test_pods_with_the_shared_name_join_a_node_that_another_pod_started() -> None:
    first = deployment("first", gpus=0, nodeSelector={POOL: "t4"})
    asks = deployment("w", 4, gpus=0, limits={"nvidia.com/gpu.shared": "1"})
    result = verdicts(shared(), plugin(4, renameByDefault=True), first, asks)["w"]
    assert (result.verdict, result.high.nodes, result.high.gpus, result.doubts) == ("schedulable", 1, 1, ())


def test_two_configurations_with_the_same_name_are_ignored() -> None:
    other = {**plugin(2), "metadata": {"name": "other", "namespace": "gpu-resources"}}
    assert only(shared(), plugin(4), other, deployment("w", 4)).high.nodes == 4


def cut(layout: str, strategy: str = "single", *sizes: str) -> list[Body]:
    """The GPU Operator, and a pool whose GPUs it partitions."""
    layouts = {
        "version": "v1",
        "mig-configs": {
            "halves": [{"devices": "all", "mig-enabled": True, "mig-devices": {"3g.40gb": 2}}],
            "empty": [],
        },
    }
    spec = {"chart": {"spec": {"chart": "gpu-operator", "sourceRef": {"kind": "HelmRepository", "name": "nvidia"}}}}
    manager = {"config": {"name": "own", "create": True, "data": {"config.yaml": json.dumps(layouts)}}}
    values = {"mig": {"strategy": strategy}, "migManager": manager}
    meta = {"name": "gpu-operator", "namespace": "gpu-operator"}
    release = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": meta,
        "spec": {"interval": "1h", **spec, "values": values},
    }
    return [pool("cut", *(sizes or (A100,)), labels={"nvidia.com/mig.config": layout}), release]


def test_each_instance_of_a_partitioned_gpu_runs_a_pod() -> None:
    for layout, nodes in (("halves", 4), ("all-1g.10gb", 2), ("all-disabled", 8), ("empty", 8), ("unheard-of", 8)):
        result = only(*cut(layout), deployment("w", 8))
        assert (result.verdict, result.high.nodes, result.high.gpus) == ("schedulable", nodes, nodes), layout


def test_a_layout_that_a_pool_excludes_is_not_its_layout() -> None:
    excluding = pool("cut", A100, more=(wants("nvidia.com/mig.config", "NotIn", "halves"),))
    assert only(excluding, cut("halves")[1], deployment("w", 8)).high.nodes == 8


def layouts(name: str, **instances: int) -> Body:
    """A ConfigMap that redefines one of the operator's own layouts."""
    devices = {"devices": "all", "mig-enabled": True, "mig-devices": instances}
    text = json.dumps({"version": "v1", "mig-configs": {"all-1g.10gb": [devices]}})
    meta = {"name": name, "namespace": "gpu-operator"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"config.yaml": text}}


def test_a_layout_with_two_definitions_is_unknown() -> None:
    """With one definition, it replaces that of the operator: two instances instead of seven."""
    halves, sevenths = layouts("first", **{"3g.40gb": 2}), layouts("second", **{"1g.10gb": 7})
    asks = deployment("w", 8)
    assert only(*cut("all-1g.10gb"), halves, asks).high.nodes == 4
    assert only(*cut("all-1g.10gb"), halves, sevenths, asks).high.nodes == 8


def test_a_size_without_mig_is_not_partitioned() -> None:
    both = cut("halves", "single", A100, "Standard_ND96isr_MI300X_v5")
    assert only(*both, deployment("w", 8)).high.nodes == 4
    (reason,) = only(*both, deployment("w", gpus=0, limits={"amd.com/gpu": "1"})).reasons
    assert reason.message == "the pod requests amd.com/gpu, but no size of the pool has any"


def test_karpenter_never_starts_a_node_for_a_mig_resource() -> None:
    asks = deployment("w", gpus=0, limits={"nvidia.com/mig-3g.40gb": "1"})
    result = only(*cut("halves", "mixed"), asks)
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "resource")


def test_what_one_of_several_sizes_has_once_its_plugin_runs_is_part_of_the_reason() -> None:
    """With two replicas per GPU, the larger size has eight and the smaller one two."""
    sizes = pool("t4", T4, T4X4, labels={"nvidia.com/device-plugin.config": "t4"})
    messages = [only(sizes, plugin(2), deployment("w", gpus=gpus)).reasons[0].message for gpus in (5, 8, 9)]
    assert [message.endswith(" until its device plugin runs") for message in messages] == [True, True, False]
    assert all(f"requests {gpus} of {GPU}, but {T4X4}" in text for gpus, text in zip((5, 8, 9), messages, strict=True))
