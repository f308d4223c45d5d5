"""Faults that the conditions of a node report: those in catalog/conditions, and those of the kubelet."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.diagnose.cause import NODE_FAULT, NODE_NOT_READY, Answer, Cause, Evidence, clause, subject_of
from gitgpu.diagnose.reading.conditions import Condition, conditions
from gitgpu.diagnose.reading.state import State
from gitgpu.model.catalog import Facts
from gitgpu.model.names.labels import INSTANCE_TYPE_LABEL
from gitgpu.objects.objects import Item

_OF_KUBERNETES = frozenset({"Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"})
# While these are True, containers do not start on the node.
_STOPPING = frozenset({
    "ContainerRuntimeProblem", "FilesystemCorruptionProblem", "KernelDeadlock", "KubeletProblem", "ReadonlyFilesystem",
})  # fmt: skip
_SEVERITIES = ("critical", "warning", "info")
# What keeps pods off a node, by the taint of the condition, and what to do.
_REMEDIES = {
    "DiskPressure": "free disk space, or use a larger OS disk: images, emptyDir volumes and logs are on it",
    "MemoryPressure": "find the pods that use more memory than they request, and raise their requests",
    "PIDPressure": "find the pods with many processes, and limit them",
    "NetworkUnavailable": "look at the network plugin of the node",
}


def reported_faults(node: Item, state: State) -> list[tuple[Condition, Facts]]:
    """The conditions that report a problem of a node with GPUs, with their rows, the most harmful first."""
    return sorted(_reported(node, state), key=_harm)


def _reported(node: Item, state: State) -> Iterator[tuple[Condition, Facts]]:
    labels = mapping_at(node.body, "metadata", "labels")
    sku = state.objects.catalog.sku(labels.get(INSTANCE_TYPE_LABEL, ""))
    every = state.objects.catalog.rows("conditions").values()
    for entry in conditions(node):
        fitting_rows = [row for row in every if entry.type not in _OF_KUBERNETES and _reports(row, entry)]
        row = max(fitting_rows, key=_precision, default=None)
        if row and (row["alert"] or (sku and sku.gpus)):
            yield entry, row


def _reports(row: Mapping[str, Any], entry: Condition) -> bool:
    is_bad = entry.status == row.get("status", "True")
    return is_bad and entry.type in row["types"] and row.get("message", "") in entry.message


def _precision(row: Mapping[str, Any]) -> int:
    return len(row.get("message", ""))


def _harm(fault: tuple[Condition, Facts]) -> tuple[int, bool]:
    row = fault[1]
    return _SEVERITIES.index(row["severity"]), not row["alert"]


def is_cause(row: Facts) -> bool:
    """Whether a condition explains more than anything else that is wrong with a node, such as missing GPUs."""
    return bool(row["alert"]) or row["severity"] == _SEVERITIES[0]


def fault_answer(node: Item, faults: list[tuple[Condition, Facts]], state: State) -> Answer:
    """The answer about a node whose conditions report these problems."""
    name, (entry, row) = node.identity.name, faults[0]
    message, is_normal = f"{entry.type}: {row['meaning']}", row["severity"] == _SEVERITIES[-1]
    cause = Cause(NODE_FAULT, message, str(row["remedy"]), (f"kubectl describe node {name}",), normal=is_normal)
    return Answer(subject_of(node), cause, fault_evidence(node, faults), (name,), state.minutes_since(entry.since))


def fault_evidence(node: Item, faults: list[tuple[Condition, Facts]]) -> tuple[Evidence, ...]:
    """What the conditions of a node say."""
    return tuple(Evidence(f"Node {node.identity.name}", str(entry)) for entry, _ in faults)


def fault_text(faults: list[tuple[Condition, Facts]]) -> str:
    """The worst of some faults as the end of a sentence; "" without any."""
    return next((f"; {entry.type}: {clause(row['meaning'])}" for entry, row in faults), "")


def pressure(node: Item, state: State) -> Answer | None:
    """The answer about a node that takes no pods while a condition of the kubelet is True."""
    entry = next((entry for entry in conditions(node) if entry.status == "True" and entry.type in _REMEDIES), None)
    if entry is None:
        return None
    name = node.identity.name
    message = f"the node takes no pods while its condition {entry.type} is True"
    cause = Cause(NODE_FAULT, message, _REMEDIES[entry.type], (f"kubectl describe node {name}",))
    evidence = Evidence(f"Node {name}", str(entry))
    return Answer(subject_of(node), cause, (evidence,), (name,), state.minutes_since(entry.since))


def stops_containers(about: Answer) -> bool:
    """Whether no container starts on the node that an answer is about."""
    return about.cause.verdict == NODE_NOT_READY or about.cause.message.partition(":")[0] in _STOPPING
