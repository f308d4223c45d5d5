"""The spec key that sets a value of a generated object, which is the place of findings about the object."""

import json

import pytest

from gitgpu.emit import emit
from gitgpu.emit.delivery.layers import layers
from gitgpu.emit.manifest import Layer
from gitgpu.emit.places import changed_places, differences, rebase
from gitgpu.source import Pointer, SourceMap, Span
from tests.emit.fleets import CLUSTER_ID, EMITTERS, Body, cluster, fleet, plans, pool
from tests.helping.cases import for_each

TEMPLATE: Pointer = ("spec", "template", "spec")
REQUIREMENTS: Pointer = (*TEMPLATE, "requirements")
POOL: Body = pool(
    "t4",
    taints=[{"key": "team", "effect": "NoSchedule"}],
    startupTaints=[{"key": "starts", "effect": "NoSchedule"}],
    disruption={"expireAfter": "24h", "terminationGracePeriod": "1h"},
    weight=7,
    capacity=["on-demand"],
    zones=["1"],
    image={"family": "Ubuntu2204", "osDiskGB": 256},
)
TEXT = json.dumps(POOL)


def test_values_of_a_pool_lead_to_the_keys_of_the_spec() -> None:
    manifests = emit(plans(fleet(), cluster(), POOL)["one"], EMITTERS)
    made = {manifest.body["kind"]: manifest for manifest in manifests}
    requirements = {
        entry["key"]: at for at, entry in enumerate(made["NodePool"].body["spec"]["template"]["spec"]["requirements"])
    }
    wanted: list[tuple[str, Pointer, str]] = [
        ("NodePool", (*TEMPLATE, "taints"), "taints"),
        ("NodePool", (*TEMPLATE, "startupTaints"), "startupTaints"),
        ("NodePool", (*TEMPLATE, "expireAfter"), "expireAfter"),
        ("NodePool", (*TEMPLATE, "terminationGracePeriod"), "terminationGracePeriod"),
        ("NodePool", ("spec", "weight"), "weight"),
        ("NodePool", ("spec", "limits", "nvidia.com/gpu"), "gpus"),
        ("NodePool", ("spec", "disruption", "consolidateAfter"), "disruption"),
        ("NodePool", (*REQUIREMENTS, requirements["karpenter.sh/capacity-type"]), "capacity"),
        ("NodePool", (*REQUIREMENTS, requirements["topology.kubernetes.io/zone"]), "zones"),
        ("NodePool", (*REQUIREMENTS, requirements["karpenter.azure.com/sku-name"]), "sku"),
        ("AKSNodeClass", ("spec", "imageFamily"), "family"),
        ("AKSNodeClass", ("spec", "osDiskSizeGB"), "osDiskGB"),
    ]
    places = []
    for kind, pointer, _ in wanted:
        span = made[kind].places.span(pointer, key=True)  # type: ignore[union-attr]
        places.append((kind, pointer, TEXT[span.column - 1 :].split('"')[1]))
    assert places == wanted


def test_limits_and_requirements_of_a_pool_lead_to_their_own_keys() -> None:
    wanted = {"key": "karpenter.azure.com/sku-family", "operator": "NotIn", "values": ["N"]}
    own = pool(
        "t4",
        limits={"gpus": 16, "cpu": 96, "resources": {"ephemeral-storage": "1Ti"}},
        image={"osDiskGB": 128, "ephemeralOSDisk": True},
        placement="zonal",
        nodeRequirements=[wanted],
        nodeClass={"name": "shared"},
        kubelet={"cpuManagerPolicy": "static"},
    )
    manifests = emit(plans(fleet(), cluster(), own)["one"], EMITTERS)
    [made] = [manifest for manifest in manifests if manifest.body["kind"] == "NodePool"]
    body, text, keys = made.body["spec"], json.dumps(own), dict[str, str]()
    pointers: dict[str, Pointer] = {f"limits {name}": ("spec", "limits", name) for name in body["limits"]}
    for at, entry in enumerate(body["template"]["spec"]["requirements"]):
        pointers[f"{entry['key']} {entry['operator']}"] = (*REQUIREMENTS, at)
    for name, pointer in pointers.items():
        keys[name] = text[made.places.span(pointer, key=True).column - 1 :][:18]  # type: ignore[union-attr]
    assert keys == {
        "limits nvidia.com/gpu": '"gpus": 16, "cpu":',
        "limits cpu": '"cpu": 96, "resour',
        "limits ephemeral-storage": '"ephemeral-storage',
        "karpenter.azure.com/placement-scope In": '"placement": "zona',
        "karpenter.azure.com/sku-family NotIn": '{"key": "karpenter',
        "karpenter.azure.com/sku-name In": '"sku": "Standard_N',
        "karpenter.azure.com/sku-storage-ephemeralos-maxsize Gt": '"ephemeralOSDisk":',
        "karpenter.sh/capacity-type In": '{"apiVersion": "gi',
    }


def test_values_of_an_aks_node_pool_lead_to_the_keys_of_the_spec() -> None:
    own = pool(
        "t4",
        labels={"team": "ml"},
        taints=[{"key": "team", "value": "ml", "effect": "NoSchedule"}],
        tags={"cost": "ml"},
        zones=["1"],
        maxPods=50,
        nodes={"min": 1, "max": 4},
        image={"family": "Ubuntu2204", "osDiskGB": 256},
        kubelet={"cpuManagerPolicy": "static", "cpuCFSQuota": False},
        linuxOSConfig={"swapFileSize": "2Gi", "sysctls": {"netIPv4TCPTwReuse": True}},
        agentPool={"scaleDownMode": "Deallocate"},
        nodePoolName="gpus",
    )
    there = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    manifests = emit(plans(fleet(), there, own)["one"], EMITTERS)
    [made] = [manifest for manifest in manifests if manifest.body["kind"] == "ManagedClustersAgentPool"]
    text, keys = json.dumps(own), dict[str, str]()
    for key in made.body["spec"]:
        span = made.places.span(("spec", key), key=True)  # type: ignore[union-attr]
        keys[key] = text[span.column - 1 :].split('"')[1]
    wanted = {
        "availabilityZones": "zones",
        "kubeletConfig": "kubelet",
        "linuxOSConfig": "linuxOSConfig",
        "maxCount": "max",
        "maxPods": "maxPods",
        "minCount": "min",
        "nodeLabels": "labels",
        "nodeTaints": "taints",
        "osDiskSizeGB": "osDiskGB",
        "osSKU": "family",
        "scaleDownMode": "scaleDownMode",
        "tags": "tags",
        "vmSize": "sku",
    }
    assert {key: keys[key] for key in wanted} == wanted
    named_otherwise: dict[Pointer, str] = {  # in Azure's API
        ("spec", "azureName"): "nodePoolName",
        ("spec", "kubeletConfig", "cpuCfsQuota"): "cpuCFSQuota",
        ("spec", "linuxOSConfig", "swapFileSizeMB"): "swapFileSize",
        ("spec", "linuxOSConfig", "sysctls", "netIpv4TcpTwReuse"): "netIPv4TCPTwReuse",
        ("spec", "upgradeSettings"): "apiVersion",  # the document: the pool does not set it
    }
    for pointer, key in named_otherwise.items():
        span = made.places.span(pointer, key=True)  # type: ignore[union-attr]
        assert text[span.column - 1 :].split('"')[1] == key


@for_each(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [(("a",), True)]),
        ({"a": 1}, {"a": True}, [(("a",), True)]),
        ({"a": True}, {"a": True}, []),
        ({"a": 1}, {"a": 1, "b": {"c": 2}}, [(("b",), True)]),
        ({"a": 1, "b": 2}, {"a": 1}, [(("b",), True), ((), False)]),
        ({"m": {"a": 1, "b": 2}}, {"m": {"a": 3}}, [(("m", "a"), True), (("m", "b"), True), (("m",), False)]),
        ({"l": [1]}, {"l": [1, 2, 3]}, [(("l", 1), True), (("l", 2), True)]),
        ({"l": [1, 2]}, {"l": [1, 3]}, [(("l",), False), (("l", 1), True)]),
        ({"l": [{"a": 1, "b": 2}]}, {"l": [{"a": 1, "b": 3}]}, [(("l",), False), (("l", 0, "b"), True)]),
        ({"l": [1, 2]}, {"l": [1, 2]}, []),
        ({"l": [1, 2]}, {"l": [2]}, [(("l",), True)]),
        ({"l": []}, {"l": [1]}, [(("l",), True)]),
        ({"l": [1]}, {"l": {"a": 1}}, [(("l",), True)]),
        ({"l": {"a": 1}}, {"l": None}, [(("l",), True)]),
    ],
)
def test_the_values_that_a_change_sets(before: Body, after: Body, expected: list[tuple[Pointer, bool]]) -> None:
    assert list(differences(before, after)) == expected


def at(line: int) -> Span:
    """A line of a patch."""
    return Span("patch.yaml", line, 1)


def test_a_changed_value_is_where_its_last_change_is_written() -> None:
    base = SourceMap.of(Span("fleet.yaml", 1, 1))
    first: Body = {"spec": {"a": 1, "b": {"c": 2, "d": 3}}}
    second: Body = {"spec": {"a": 1, "b": {"c": 4, "d": 3, "e": {"f": 5}}}}
    third: Body = {"spec": {"a": 1, "b": {"c": 4, "e": {"f": 6}}}}
    places = changed_places(base, (first, second), lambda _: (at(2), at(3)), at(2))
    places = changed_places(places, (second, third), lambda _: (at(7), at(8)), at(7))
    lines = {
        pointer: (places.span(pointer).line, places.span(pointer, key=True).line)
        for pointer in (
            ("spec", "a"),
            ("spec", "b"),
            ("spec", "b", "c"),
            ("spec", "b", "d"),
            ("spec", "b", "e"),
            ("spec", "b", "e", "f"),
        )
    }
    assert lines == {
        ("spec", "a"): (1, 1),
        ("spec", "b"): (7, 8),  # d is removed
        ("spec", "b", "c"): (2, 3),
        ("spec", "b", "d"): (7, 8),
        ("spec", "b", "e"): (2, 3),
        ("spec", "b", "e", "f"): (7, 8),
    }
    assert places.changes == 2
    moved = rebase(places, SourceMap.of(Span("other.yaml", 5, 1)))
    assert moved.span(("spec", "a")) == Span("other.yaml", 5, 1)
    assert moved.span(("spec", "b", "c")) == at(2)


def test_a_value_that_is_in_a_changed_one_is_where_that_is_written() -> None:
    base = SourceMap.of(Span("fleet.yaml", 1, 1))
    change: tuple[Body, Body] = ({"spec": {}}, {"spec": {"new": {"deep": [1, {"x": 2}]}}})
    places = changed_places(base, change, lambda _: (at(4), at(5)), at(4))
    assert places.span(("spec", "new", "deep", 1, "x")) == at(4)
    assert places.span(("spec",)) == base.span()
    assert places.span() == base.span()
    assert rebase(None, base) is base


@pytest.mark.parametrize(("insights", "has_monitoring"), [("inventory", False), ("utilization", True), ("none", False)])
def test_container_insights_alone_needs_no_monitoring_layer(insights: str, has_monitoring: bool) -> None:
    metrics = {"scrape": "none", "containerInsights": insights}
    plan = plans(fleet(stack={"metrics": metrics}), cluster(), pool("t4"))["one"]
    assert plan.insights is not None or insights == "none"
    assert (Layer.MONITORING in layers(plan)) is has_monitoring
