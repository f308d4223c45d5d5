"""Nodes that have room for a pod and take none: each is a reason of its own, before those of the pools."""

import json
from typing import Any

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from tests.diagnose.states import facts, items


def reasons(objects: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The kinds and nodes of the reasons of the only pod that gets no node."""
    text = Text("dump.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), "dump.json")
    assumptions = Assumptions({}, {}, "eastus", "1.34")
    [forecast] = of_manifests(read_manifests([text]), read_manifests([]), facts(), assumptions)
    return [(reason.kind, reason.node) for verdict in forecast.verdicts for reason in verdict.reasons]


def cordoned() -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]:
    """The objects of a state with a cordoned node, the node, and the pod that waits."""
    objects = items("cordoned-node")
    [node] = [item for item in objects if item["kind"] == "Node"]
    [pod] = [item for item in objects if item["kind"] == "Pod"]
    return objects, node, pod


def test_a_cordoned_node_comes_before_the_limit() -> None:
    objects, _, _ = cordoned()
    assert reasons(objects) == [("closed", "aks-gpu-a"), ("limit", "")]


def test_a_condition_of_the_node() -> None:
    objects, node, _ = cordoned()
    node["spec"]["unschedulable"] = False
    node["spec"]["taints"].append({"key": "node.kubernetes.io/memory-pressure", "effect": "NoSchedule"})
    assert reasons(objects)[0] == ("closed", "aks-gpu-a")


def test_a_node_that_something_else_keeps_the_pod_off() -> None:
    objects, node, pod = cordoned()
    node["spec"]["taints"].append({"key": "team", "value": "b", "effect": "NoSchedule"})
    assert [kind for kind, _ in reasons(objects)] == ["limit"]
    objects, _, pod = cordoned()
    pod["spec"]["nodeSelector"] = {"topology.kubernetes.io/zone": "eastus-2"}
    assert "closed" not in [kind for kind, _ in reasons(objects)]


def test_a_node_without_room() -> None:
    objects, _, pod = cordoned()
    pod["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] = "2"
    assert "closed" not in [kind for kind, _ in reasons(objects)]


def test_a_pod_that_tolerates_the_taint_gets_the_node() -> None:
    objects, _, pod = cordoned()
    pod["spec"]["tolerations"].append({"key": "node.kubernetes.io/unschedulable", "operator": "Exists"})
    assert reasons(objects) == []
