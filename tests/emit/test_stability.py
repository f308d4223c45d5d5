"""Changes that must not replace nodes do not change the template or node class of any NodePool."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.emit.fleets import A100, Body, Emitted, cluster, emitted, fleet, pool, pool_specs, pools, workload
from tests.helping.cases import for_each
from tests.helping.nested import entries

EDITS: dict[str, Any] = {
    "capacity": ["spot"],
    "labels": {"team": "ads"},
    "tags": {"owner": "ads"},
    "taints": [{"key": "other", "effect": "NoSchedule"}],
    "startupTaints": [{"key": "other", "effect": "NoExecute"}],
    "image": {"family": "Ubuntu2204", "osDiskGB": 200},
    "kubelet": {"cpuManagerPolicy": "static"},
    "maxPods": 50,
    "weight": 7,
    "limits": {"gpus": 32},
    "zones": ["1"],
    "disruption": {"expireAfter": "Never", "consolidateAfter": "2h"},
}


def nodes(output: Emitted, name: str) -> tuple[Body, Body]:
    """The NodePool and AKSNodeClass of a pool."""
    return output.one("NodePool", name), output.one("AKSNodeClass", name)


@given(pools(least=2), st.data())
def test_an_edit_of_one_pool_changes_no_other(gpu_pools: list[Body], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(EDITS)))
    edited, *others = gpu_pools
    changed = deepcopy(edited)
    changed["spec"][key] = EDITS[key]
    before, after = emitted(fleet(), cluster(), *gpu_pools), emitted(fleet(), cluster(), changed, *others)
    for other in others:
        assert nodes(before, other["metadata"]["name"]) == nodes(after, other["metadata"]["name"])


@given(pools(), pool_specs())
def test_a_new_pool_changes_no_other(gpu_pools: list[Body], spec: Body) -> None:
    """With every driver setting: the first GPU Operator of a cluster must not relabel existing nodes."""
    before = emitted(fleet(), cluster(), *gpu_pools)
    after = emitted(fleet(), cluster(), *gpu_pools, pool("another", **spec))
    for body in gpu_pools:
        assert nodes(before, body["metadata"]["name"]) == nodes(after, body["metadata"]["name"])


@given(pools(), st.sampled_from(({"keda": "helm"}, {"metrics": {"exporter": False}}, {"metrics": {"interval": "15s"}})))
def test_software_changes_no_nodes(gpu_pools: list[Body], stack: Body) -> None:
    before, after = emitted(fleet(), cluster(), *gpu_pools), emitted(fleet(), cluster(stack=stack), *gpu_pools)
    for body in gpu_pools:
        assert nodes(before, body["metadata"]["name"]) == nodes(after, body["metadata"]["name"])


@given(pools())
def test_an_inherited_value_and_a_value_of_the_pool_are_equivalent(gpu_pools: list[Body]) -> None:
    """Moving a value between a pool and the defaults of the fleet replaces no nodes."""
    silent = deepcopy(gpu_pools)
    for body in silent:
        body["spec"].setdefault("taints", [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}])
        body["spec"].setdefault("capacity", ["on-demand"])
        body["spec"].setdefault("disruption", {})
    before, after = emitted(fleet(), cluster(), *gpu_pools), emitted(fleet(), cluster(), *silent)
    assert before.every("NodePool") == after.every("NodePool")
    assert before.every("AKSNodeClass") == after.every("AKSNodeClass")


def empty(value: object, path: str = "") -> Iterator[str]:
    """The paths of empty mappings, lists and texts, and of nulls."""
    if value in ({}, [], "", None):
        yield path
    for key, item in entries(value):
        yield from empty(item, f"{path}/{key}")


@given(pools())
def test_nothing_empty_is_written(gpu_pools: list[Body]) -> None:
    """In Karpenter's hash, an empty list differs from an absent one. An absent field of a class is the default."""
    result = emitted(fleet(), cluster(), *gpu_pools)
    for body in gpu_pools:
        node_pool, node_class = nodes(result, body["metadata"]["name"])
        assert list(empty(node_pool["spec"])) == []
        assert [path for path in empty(node_class["spec"]) if path] == []


def test_a_minimal_pool_sets_no_defaults() -> None:
    """If the stored object lacks one of these defaults, adding it replaces every node."""
    node_pool, node_class = nodes(emitted(fleet(), cluster(), pool("t4")), "t4")
    assert node_class["spec"] == {}
    template = node_pool["spec"]["template"]
    assert set(template) == {"metadata", "spec"}
    assert set(template["metadata"]) == {"labels"}
    assert set(template["spec"]) == {"nodeClassRef", "requirements", "taints"}


@for_each(
    "spec",
    [
        {"labels": {}},
        {"tags": {}},
        {"startupTaints": []},
        {"image": {}},
        {"image": {"fips": False}},
        {"image": {"ephemeralOSDisk": False}},
        {"kubelet": {}},
        {"disruption": {}},
        {"driver": "aks"},
    ],
)
def test_an_empty_value_changes_nothing(spec: Body) -> None:
    plain, spoken = emitted(fleet(), cluster(), pool("t4")), emitted(fleet(), cluster(), pool("t4", **spec))
    assert nodes(plain, "t4") == nodes(spoken, "t4")


@for_each(
    ("spec", "asked"),
    [
        ({"image": {"fips": True, "family": "AzureLinux"}}, {"fipsMode": "FIPS", "imageFamily": "AzureLinux"}),
        ({"image": {"osDiskGB": 100}}, {"osDiskSizeGB": 100}),
        ({"kubelet": {"podPidsLimit": 4096}}, {"kubelet": {"podPidsLimit": 4096}}),
        ({"maxPods": 30}, {"maxPods": 30}),
        ({"driver": "none"}, {"gpu": {"mode": "None"}}),
        ({"driver": "managed"}, {"tags": {"EnableManagedGPUExperience": "true"}}),
        ({"tags": {"owner": "ads"}}, {"tags": {"owner": "ads"}}),
    ],
)
def test_only_requested_values_are_emitted(spec: Body, asked: Body) -> None:
    _, node_class = nodes(emitted(fleet(), cluster(), pool("t4", **spec)), "t4")
    assert node_class["spec"] == asked


def test_the_subnet_comes_from_the_cluster() -> None:
    network = "Microsoft.Network/virtualNetworks/hub/subnets/gpu"
    subnet = f"/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/net/providers/{network}"
    _, node_class = nodes(emitted(fleet(), cluster(network={"subnet": subnet}), pool("t4")), "t4")
    assert node_class["spec"] == {"vnetSubnetID": subnet}


@given(pools(least=2))
def test_the_order_of_documents_has_no_effect(gpu_pools: list[Body]) -> None:
    straight = [fleet(), cluster(), *gpu_pools, workload("ranker", [gpu_pools[0]["metadata"]["name"]])]
    assert texts(emitted(*straight)) == texts(emitted(*reversed(straight)))


def texts(output: Emitted) -> list[str]:
    """The bodies as text, with their key order but without their origin."""
    return [json.dumps(manifest.body) for manifest in output.manifests]


@given(pools())
def test_every_pool_has_its_own_class(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    refs = [body["spec"]["template"]["spec"]["nodeClassRef"] for body in result.every("NodePool")]
    classes = [body["metadata"]["name"] for body in result.every("AKSNodeClass")]
    assert refs == [{"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": name} for name in classes]


REORDERED: list[Callable[[Body], Body]] = [
    lambda spec: {**spec, "sku": list(reversed(spec["sku"]))},
    lambda spec: {**spec, "zones": list(reversed(spec["zones"]))},
    lambda spec: {**spec, "taints": list(reversed(spec["taints"]))},
    lambda spec: {**spec, "labels": dict(reversed(spec["labels"].items()))},
    lambda spec: {**spec, "tags": dict(reversed(spec["tags"].items()))},
]


@for_each("reorder", REORDERED, ids=("sku", "zones", "taints", "labels", "tags"))
def test_the_order_inside_a_pool_has_no_effect(reorder: Callable[[Body], Body]) -> None:
    spec: Body = {
        "sku": [A100, "Standard_NC48ads_A100_v4"],
        "zones": ["1", "2"],
        "taints": [{"key": key, "effect": "NoSchedule"} for key in ("sku", "team")],
        "labels": {"team": "ads", "a": "b"},
        "tags": {"team": "ads", "a": "b"},
    }
    first, other = pool("p", **spec), pool("p", **reorder(spec))
    assert texts(emitted(fleet(), cluster(), first)) == texts(emitted(fleet(), cluster(), other))
