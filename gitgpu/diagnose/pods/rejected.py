"""Pods that a kubelet has rejected or evicted: they have failed, and only their controller makes a new one.

The reasons are those of pkg/kubelet/lifecycle/predicate.go of kubernetes/kubernetes at 00991fb96b40, of
pkg/kubelet/cm/admission/errors.go, and of pkg/kubelet/eviction/helpers.go.
"""

from collections.abc import Iterator, Mapping

from gitgpu.access import reach, rows, text_at
from gitgpu.diagnose.cause import (
    NODE_FAULT,
    REJECTED,
    STUCK_NODE,
    WITHOUT_GPUS,
    Answer,
    Cause,
    Evidence,
    clause,
    subject_of,
)
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import POD
from gitgpu.model.symptoms import symptom_in
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.devices import is_gpu_resource
from gitgpu.objects.workload.pods import Pod, pods

_OUT_OF = "OutOf"
_UNEXPECTED, _AFFINITY, _EVICTED = "UnexpectedAdmissionError", "NodeAffinity", "Evicted"
_OF_DEVICES = (_UNEXPECTED, _OUT_OF)
_FAULTS = (NODE_FAULT, STUCK_NODE, WITHOUT_GPUS)
_AGAIN = "delete the pod; if it has a controller, that makes a new one"


def rejected_pods(nodes: Mapping[str, Answer], state: State) -> Iterator[Answer]:
    """The answers about pods with GPUs that a kubelet has rejected or evicted. `nodes` are the answers about nodes."""
    replaced = _running_owners(state.objects)
    for pod in pods(state.objects):
        item, reason = pod.item, text_at(pod.item.body, "status", "reason")
        if item.identity[:2] != POD or text_at(item.body, "status", "phase") != "Failed":
            continue
        if not reason.startswith((*_OF_DEVICES, _AFFINITY, _EVICTED)) or not _wants_gpus(pod, state.objects):
            continue
        yield _answer(item, reason, nodes, is_replaced=not replaced.isdisjoint(_owners(item)), state=state)


def _answer(item: Item, reason: str, nodes: Mapping[str, Answer], *, is_replaced: bool, state: State) -> Answer:
    node, message = text_at(item.body, "spec", "nodeName"), text_at(item.body, "status", "message").strip()
    evidence = (Evidence(subject_of(item).full_name, f"{reason}: {message}"),)
    about = nodes.get(node)
    if about and reason.startswith(_OF_DEVICES) and about.cause.verdict in _FAULTS:
        return about._replace(subject=subject_of(item), evidence=(*evidence, *about.evidence))
    cause = _cause(reason, message, state)._replace(normal=is_replaced)
    waited = state.minutes_since(text_at(item.body, "metadata", "creationTimestamp"))
    return Answer(subject_of(item), cause, evidence, (node,) if node else (), waited)


def _cause(reason: str, message: str, state: State) -> Cause:
    known = symptom_in(message, ("pods",), state.objects.catalog)
    if reason == _EVICTED:
        text = f"the kubelet evicted it: {clause(known.cause)}" if known else "the kubelet evicted it"
        remedy = known.remedy if known else "correct what its message says"
    elif reason == _AFFINITY:
        text = "the kubelet rejected it: the labels of the node no longer matched what it requires"
        remedy = f"find what changes the labels of the node; {_AGAIN}"
        known = None
    elif reason.startswith(_OUT_OF):
        resource = reason.removeprefix(_OUT_OF)
        text = f"the kubelet rejected it: the node had no {resource} left, as after a restart of the node or the plugin"
        remedy = _AGAIN
    else:
        text = f"the kubelet rejected it: {clause(known.cause)}" if known else "the kubelet rejected it"
        remedy = known.remedy if known else f"correct what its message says; {_AGAIN}"
    return Cause(REJECTED, text, remedy, rules=known.rules if known else ())


def _wants_gpus(pod: Pod, objects: Objects) -> bool:
    return any(is_gpu_resource(name, objects) for name in pod.requests())


def _running_owners(objects: Objects) -> set[tuple[object, ...]]:
    """The controllers that have a pod that runs."""
    running_items = (item for item in objects.of(*POD) if reach(item.body, "status", "phase") == "Running")
    return {owner for item in running_items for owner in _owners(item)}


def _owners(item: Item) -> set[tuple[object, ...]]:
    space = item.identity.namespace
    return {(space, owner.get("kind"), owner.get("name")) for owner in rows(item.body, "metadata", "ownerReferences")}
