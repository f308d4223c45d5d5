"""The type of an emitter, and parts of objects that many emitters use."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.emit.manifest import Manifest
from gitgpu.model.names.labels import POOL_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement, Toleration
from gitgpu.plan.decided.nodes import Nodes

Body = dict[str, Any]
NODE_NAME: Body = {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}  # of the pod


class Emitter(NamedTuple):
    """Turns a part of a plan into manifests."""

    name: str
    emit: Callable[[ClusterPlan], Iterable[Manifest]]


def tolerations(items: Iterable[Toleration]) -> list[Body]:
    """Tolerations of exactly these taints: by the key if the taint has no value, of all taints without a key."""
    bodies: list[Body] = []
    for item in items:
        match = {"operator": "Equal", "value": item.value} if item.value else {"operator": "Exists"}
        bodies.append({"key": item.key, **match, "effect": item.effect} if item.key else match)
    return bodies


def tolerating(items: Iterable[Toleration]) -> Body:
    """The tolerations of a pod; {} if there are none, because Kubernetes does not store an empty list."""
    bodies = tolerations(items)
    return {"tolerations": bodies} if bodies else {}


def environment(values: Mapping[str, str]) -> list[Body]:
    """Environment variables of a container. An empty value is omitted: Kubernetes does not store it."""
    variables: list[Body] = []
    for name, value in values.items():
        variables.append({"name": name, "value": value} if value else {"name": name})
    return variables


def config_map(name: str, namespace: str, data: Mapping[str, str]) -> Body:
    """A ConfigMap."""
    meta = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": dict(data)}


def on_pools(pools: Iterable[Nodes]) -> Body:
    """The affinity of pods that run on these nodes only, which are those that one of the terms matches."""
    terms = {"nodeSelectorTerms": [{"matchExpressions": _expressions(nodes)} for nodes in pools]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def _expressions(nodes: Nodes) -> list[Body]:
    wanted = (_expression(each, "In", "Exists") for each in (nodes, *nodes.within))
    return [*wanted, *(_expression(each, "NotIn", "DoesNotExist") for each in nodes.without)]


def _expression(nodes: Nodes, by_value: str, by_key: str) -> Body:
    if nodes.values:
        return {"key": nodes.label, "operator": by_value, "values": list(nodes.values)}
    return {"key": nodes.label, "operator": by_key}


def daemon_set_name(name: str, pool: str) -> str:
    """The name of a DaemonSet for the nodes of one pool, which no other DaemonSet can have."""
    return f"{name}-pool-{pool}"


def daemon_set(name: str, namespace: str, labels: Mapping[str, str], placement: DaemonPlacement, pod: Body) -> Body:
    """A DaemonSet with pods on the reached nodes; `pod` is the rest of their spec.

    For the nodes of a single pool, the pool is in its name and labels: no selector matches the pods of two DaemonSets.
    """
    if placement.pool:
        *_, (key, value) = labels.items()
        name = daemon_set_name(name, placement.pool)
        labels = {**labels, key: f"{value}-pool", POOL_LABEL: placement.pool}
    spec: Body = {
        "priorityClassName": "system-node-critical",
        "affinity": on_pools(placement.pools),
        **tolerating(placement.tolerations),
        **pod,
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": namespace, "labels": dict(labels)},
        "spec": {
            "selector": {"matchLabels": dict(labels)},
            # A choice: with the default of 1, a change takes one node after the other.
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "10%"}},
            "template": {"metadata": {"labels": dict(labels)}, "spec": spec},
        },
    }
