"""Pods that a kubelet has rejected or evicted: which of them need action."""

import json
from typing import Any

from gitgpu.diagnose.cause import Cause
from tests.diagnose.states import items, of_texts


def causes(*objects: dict[str, Any]) -> dict[str, Cause]:
    """The cause of each pod."""
    diagnosis = of_texts(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return {answer.subject.name: answer.cause for group in diagnosis.groups for answer in group.answers}


def state() -> list[dict[str, Any]]:
    return items("rejected-by-kubelet")


def failed(name: str = "chat-7d9f8c6b5-f1") -> dict[str, Any]:
    [pod] = [item for item in state() if item["metadata"]["name"] == name]
    return pod


def test_a_pod_whose_controller_has_another_one_needs_no_action() -> None:
    runs = failed()
    runs["metadata"]["name"] = "chat-7d9f8c6b5-r1"
    runs["status"] = {"phase": "Running"}
    found = causes(*state(), runs)
    assert found["chat-7d9f8c6b5-f1"].normal
    assert not found["train-0"].normal  # of another controller


def test_a_pod_without_a_controller_needs_action() -> None:
    pod = failed()
    del pod["metadata"]["ownerReferences"]
    assert not causes(*state(), pod)["chat-7d9f8c6b5-f1"].normal


def test_a_pod_without_gpus_is_not_reported() -> None:
    pod = failed()
    pod["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "1"}}
    assert causes(pod) == {}


def test_a_pod_that_failed_by_itself_is_not_reported() -> None:
    pod = failed()
    pod["status"] = {"phase": "Failed", "reason": "DeadlineExceeded"}
    assert causes(pod) == {}
    pod["status"] = {"phase": "Failed"}
    assert causes(pod) == {}


def test_a_fault_of_the_node_is_the_cause() -> None:
    [node] = [item for item in state() if item["metadata"]["name"] == "aks-gpu-aa11"]
    for amounts in (node["status"]["capacity"], node["status"]["allocatable"]):
        amounts["nvidia.com/gpu"] = "0"
    found = causes(node, failed("chat-7d9f8c6b5-f3"), failed("chat-7d9f8c6b5-f4"))
    assert found["chat-7d9f8c6b5-f3"] == found["aks-gpu-aa11"]
    assert found["chat-7d9f8c6b5-f4"].verdict == "rejected"  # its labels have nothing to do with GPUs
