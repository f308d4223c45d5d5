"""gitgpu decisions that an object contains. A patch can undo them, and no rule about objects knows them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, rows
from gitgpu.model.names.annotations import FLUX_PRUNE_ANNOTATION, SYNC_OPTIONS_ANNOTATION
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    HELM_RELEASE,
    INFERENCE_SET,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    OCI_REPOSITORY,
    SCALED_JOB,
    SCALED_OBJECT,
)
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.source import Pointer

_TEMPLATE = ("spec", "template")
_AFFINITY = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
POD_SPECS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("DaemonSet", "Deployment", "Job", "StatefulSet"), (*_TEMPLATE, "spec")),
    SCALED_JOB.kind: ("spec", "jobTargetRef", "template", "spec"),
}
_NODE_LABELS: Mapping[str, tuple[str, ...]] = {
    MANAGED_CLUSTERS_AGENT_POOL.kind: ("spec", "nodeLabels"),
    NODE_POOL.kind: (*_TEMPLATE, "metadata", "labels"),
}


class Decision(NamedTuple):
    """A decision in words, its place in the object, and the key in the spec that changes it ("" for none)."""

    meaning: str
    at: Pointer
    key: str = ""


class Setting(NamedTuple):
    """A value that is a decision: its dotted path, what it is, the key in the spec, and the value without it."""

    path: str
    meaning: str
    key: str = ""
    default: str = ""


_VERSION = "Cluster.spec.stack.versions"
_MAX = Setting("spec.maxReplicaCount", "the maximum replicas are", "GpuWorkload.spec.scaling.max")
_SETTINGS: Mapping[str, tuple[Setting, ...]] = {
    AKS_NODE_CLASS.kind: (Setting("spec.gpu.mode", "the GPU mode of its nodes is", "GpuPool.spec.driver", "Driver"),),
    HELM_RELEASE.kind: (Setting("spec.chart.spec.version", "the version of the chart is", _VERSION),),
    INFERENCE_SET.kind: (Setting("spec.replicas", "the replicas are", "GpuWorkload.spec.inference.replicas"),),
    "Kustomization": (Setting("spec.deletionPolicy", "its objects stay when it is deleted: deletionPolicy is"),),
    MANAGED_CLUSTERS_AGENT_POOL.kind: (
        Setting("spec.gpuProfile.driver", "the driver of its nodes is", "GpuPool.spec.driver"),
    ),
    OCI_REPOSITORY.kind: (Setting("spec.ref.tag", "the version of the chart is", _VERSION),),
    SCALED_JOB.kind: (_MAX,),
    SCALED_OBJECT.kind: (_MAX,),
}
_NO_PRUNING = (FLUX_PRUNE_ANNOTATION, SYNC_OPTIONS_ANNOTATION)


def decisions(body: Mapping[str, Any]) -> Iterator[Decision]:
    """The decisions that an object contains; the object may have any shape."""
    kind = body["kind"]
    if kind in POD_SPECS:
        yield from _pod_decisions(mapping_at(body, *POD_SPECS[kind]), POD_SPECS[kind])
    yield from _node_decisions(body, kind)
    for path, meaning, key, default in _SETTINGS.get(kind, ()):
        pointer = tuple(path.split("."))
        value = reach(body, *pointer)
        if value is not None or default:
            yield Decision(f"{meaning} {default if value is None else value}", pointer, key)
    if kind == APPLICATION.kind and reach(body, "spec", "source", "chart"):
        pointer = ("spec", "source", "targetRevision")
        yield Decision(f"the version of the chart is {reach(body, *pointer)}", pointer, _VERSION)
    for name in _NO_PRUNING:
        pointer = ("metadata", "annotations", name)
        if value := reach(body, *pointer):
            yield Decision(f"the annotation {name}: {value} keeps it from being pruned", pointer)


def _pod_decisions(pod: Mapping[str, Any], pointer: Pointer) -> Iterator[Decision]:
    """The decisions on where pods run, and which devices they get."""
    for key in sorted(_node_labels(pod)):
        place = ("nodeSelector", key) if key in mapping_at(pod, "nodeSelector") else _AFFINITY
        yield Decision(f"its pods run only on nodes that the label {key} selects", (*pointer, *place))
    if "priorityClassName" in pod:
        yield Decision("its pods have a priority class", (*pointer, "priorityClassName"))
    for claim in rows(pod, "resourceClaims"):
        yield Decision(f"its pods have the ResourceClaim {claim.get('name')}", (*pointer, "resourceClaims"))
    for index, container in enumerate(rows(pod, "containers")):
        yield from _devices(container, (*pointer, "containers", index, "resources"))


def _node_labels(pod: Mapping[str, Any]) -> set[str]:
    """The labels that every node for a pod must have."""
    terms = [_labels_of(term) for term in rows(pod, *_AFFINITY)]
    required = set.intersection(*terms) if terms else set()  # a node has to meet only one of the terms
    return {*mapping_at(pod, "nodeSelector"), *required}


def _labels_of(term: Mapping[str, Any]) -> set[str]:
    return {str(expression.get("key")) for expression in rows(term, "matchExpressions")}


def _devices(container: Mapping[str, Any], pointer: Pointer) -> Iterator[Decision]:
    """The GPUs and NICs of a container: the names of their resources have a domain, those of other resources do not."""
    name = container.get("name")
    for resource, count in mapping_at(container, "resources", "limits").items():
        if "/" in resource:
            key = "GpuWorkload.spec.gpus" if resource.endswith(("/gpu", "/gpu.shared")) else ""
            yield Decision(f"container {name} gets {resource}: {count}", (*pointer, "limits", resource), key)
    for claim in rows(container, "resources", "claims"):
        yield Decision(f"container {name} uses the ResourceClaim {claim.get('name')}", (*pointer, "claims"))


def _node_decisions(body: Mapping[str, Any], kind: str) -> Iterator[Decision]:
    """The decisions on the sizes of a pool, and on the labels of its nodes."""
    requirements = (*_TEMPLATE, "spec", "requirements")
    required = rows(body, *requirements) if kind == NODE_POOL.kind else ()
    for wanted in sorted({str(entry.get("key")) for entry in required}):
        yield Decision(f"its nodes meet a requirement on {wanted}", requirements, "GpuPool.spec.nodeRequirements")
    pointer = _NODE_LABELS.get(kind, ())
    for label, value in mapping_at(body, *pointer).items() if pointer else ():
        key = "GpuPool.spec.operatorOptOut" if label == DEPLOY_OPERANDS_LABEL else "GpuPool.spec.labels"
        yield Decision(f"its nodes have the label {label}: {value}", (*pointer, label), key)
