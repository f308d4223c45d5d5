"""Nodes that Karpenter replaces again and again, because they are newer than the cluster."""

import json

from tests.diagnose.states import items, of_texts, verdicts
from tests.helping.cases import for_each


@for_each(
    ("kubelet", "wanted", "is_wrong"),
    [
        ("v1.34.9", "1.34.2", True),
        ("v1.34.10", "1.34.9", True),
        ("v1.34.2", "1.34.9", False),  # replaced once
        ("v1.34.2", "1.34.2", False),
        ("nonsense", "1.34.2", False),
        ("v1.34.9", "", False),
    ],
)
def test_only_a_newer_node_is_replaced_again(kubelet: str, wanted: str, is_wrong: bool) -> None:
    objects = items("newer-nodes-drift")
    for item in objects:
        if item["metadata"]["name"] == "aks-gpu-aa11":
            item["status"]["nodeInfo"]["kubeletVersion"] = kubelet
        if item["kind"] == "AKSNodeClass":
            item["status"]["kubernetesVersion"] = wanted
    found = verdicts(of_texts(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})))
    assert ("Node aks-gpu-aa11" in found) is is_wrong


def test_another_reason_for_drift() -> None:
    objects = items("newer-nodes-drift")
    for item in objects:
        for entry in item.get("status", {}).get("conditions", []):
            if entry["type"] == "Drifted":
                entry["reason"] = "NodePoolDrifted"
    assert verdicts(of_texts(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))) == {}
