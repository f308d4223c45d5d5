"""What exists on the cluster: nodes, and the pods that run on them.

They use capacity and count against limits, as calculateExistingNodeClaims in
pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter counts them.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.offers import POOL
from gitgpu.conform.workload.pods import Pod
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.simulate.instance.instance_types import Amounts, InstanceTypes, NodeType
from gitgpu.simulate.instance.overhead import daemons_on
from gitgpu.simulate.node.ephemeral_taints import lasting_taints
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.pod.admitted_pods import admitted_pods
from gitgpu.simulate.pod.label_selectors import HOST
from gitgpu.simulate.pod.shape import Shape, shapes
from gitgpu.simulate.world import World, amounts, fixed_labels, is_gpu_resource

_SIZE, _ZONE = "node.kubernetes.io/instance-type", "topology.kubernetes.io/zone"
_CAPACITY, _PRIORITY = "karpenter.sh/capacity-type", "kubernetes.azure.com/scalesetpriority"
_INITIALIZED = "karpenter.sh/initialized"
# Karpenter sets the first. AKS sets the other two on every node of its pools.
_POOL_LABELS = (POOL, "kubernetes.azure.com/agentpool", "agentpool")
_ENDED = ("Succeeded", "Failed")


class ExistingNode(NamedTuple):
    """A node of the cluster: a group of only this node, its pool, what it uses of the limits, and the pods on it."""

    name: str
    initialized: bool
    group: NodeGroup
    pool: str
    counts: Mapping[str, Decimal]
    pods: tuple[Shape, ...]


class ExistingNodes(NamedTuple):
    """The nodes of the cluster in the order in which Karpenter tries them, and the number of pods that run.

    `unlisted` are the pods on nodes that are not in the input, by the name of the node.
    """

    nodes: tuple[ExistingNode, ...] = ()
    unlisted: Mapping[str, tuple[Shape, ...]] = {}
    pods: int = 0


def has_ended(item: Item) -> bool:
    """Whether the item is a pod that has finished."""
    return item.identity.kind == "Pod" and reach(item.body, "status", "phase") in _ENDED


def is_running(item: Item) -> bool:
    """Whether the item is a pod that is assigned to a node and has not finished."""
    return item.identity.kind == "Pod" and bool(reach(item.body, "spec", "nodeName")) and not has_ended(item)


def existing_nodes(objects: Objects, world: World) -> ExistingNodes:
    """The GPU nodes among the objects, and the nodes that are known only because running pods name them."""
    placed: dict[str, list[Pod]] = {}
    for pod in admitted_pods(objects):
        if is_running(pod.item):
            placed.setdefault(str(pod.spec["nodeName"]), []).append(pod)
    candidates = [_node(item, placed.get(item.identity.name, []), objects, world) for item in objects.of("", "Node")]
    nodes = [running for running in candidates if running]
    named = {item.identity.name for item in objects.of("", "Node")}
    unlisted: dict[str, tuple[Shape, ...]] = {}
    for name in sorted(placed.keys() - named):
        unlisted[name] = tuple(_as_it_runs(pod, objects) for pod in placed[name] if not _of_daemons(pod))
    pods_there = sum(map(len, placed.values()))
    return ExistingNodes(tuple(sorted(nodes, key=lambda node: (not node.initialized, node.name))), unlisted, pods_there)


def remaining(group: NodeGroup, existing: ExistingNodes) -> dict[str, Decimal]:
    """What existing nodes leave of the limits of a group."""
    left = dict(group.limits)
    for node in existing.nodes:
        if node.pool == group.name:
            for name in left:  # none in the group of an existing node
                left[name] -= node.counts.get(name, Decimal(0))
    return left


def _node(item: Item, placed: Iterable[Pod], objects: Objects, world: World) -> ExistingNode | None:
    labels = {str(key): str(value) for key, value in (reach(item.body, "metadata", "labels") or {}).items()}
    sku = objects.catalog.sku(labels.get(_SIZE, ""))
    capacity = amounts(reach(item.body, "status", "capacity") or {})
    if sku is None or not any(is_gpu_resource(name, objects) and amount for name, amount in capacity.items()):
        return None
    running, node = list(placed), fixed_labels({**labels, HOST: labels.get(HOST, item.identity.name)})
    initialized = labels.get(_INITIALIZED) == "true" or POOL not in labels  # only Karpenter sets the label
    taints = tuple(reach(item.body, "spec", "taints") or ())
    if not initialized:
        taints = lasting_taints(taints, labels[POOL], objects)
    allocatable = amounts(reach(item.body, "status", "allocatable") or {}) or capacity
    left = _after_daemons(allocatable, node, taints, running, world)
    counts = {**capacity, "nodes": Decimal(1)}
    named = [labels[key] for key in _POOL_LABELS if labels.get(key)]
    pool = named[0] if named else item.identity.name
    group = _group_of(item, pool, taints, InstanceTypes([NodeType(sku, node, left, left, counts)], world.offerings))
    on_it = tuple(_as_it_runs(pod, objects) for pod in running)
    return ExistingNode(item.identity.name, initialized, group, pool, counts, on_it)


def _as_it_runs(pod: Pod, objects: Objects) -> Shape:
    """The last reading of a running pod: its preferences no longer matter."""
    return shapes(pod, objects, gentle=False)[-1]


def _group_of(item: Item, pool: str, taints: tuple[Mapping[str, Any], ...], size: InstanceTypes) -> NodeGroup:
    """A group for one existing node, with the size and the labels of that node. It gets no other node."""
    return NodeGroup(
        name=pool,
        maker=Maker.FIXED,
        item=item,
        node=size.types[0].labels,
        well_known=frozenset(),
        taints=taints,
        instance_types=size,
        types=size.every,
        offered=0,
        limits={},
        min_values={},
        weight=0,
        pointers={},
    )


def _after_daemons(
    has: Mapping[str, Decimal], node: Requirements, taints: tuple[Any, ...], placed: list[Pod], world: World
) -> Amounts:
    """What is left after DaemonSet pods that do not run yet."""
    wanted: dict[str, Decimal] = {}
    for daemon in daemons_on(world.daemons, node, taints, frozenset(), world.objects):
        for name, amount in daemon.takes.items():
            wanted[name] = wanted.get(name, Decimal(0)) + amount
    for pod in filter(_of_daemons, placed):
        for name, amount in {**pod.requests(), "pods": Decimal(1)}.items():
            wanted[name] = wanted.get(name, Decimal(0)) - amount
    # Running daemons may use more than the known DaemonSets request. The difference is not free capacity.
    return {name: amount - max(wanted.get(name, Decimal(0)), Decimal(0)) for name, amount in has.items()}


def _of_daemons(pod: Pod) -> bool:
    owners = reach(pod.item.body, "metadata", "ownerReferences") or ()
    return any(reach(owner, "kind") == "DaemonSet" for owner in owners)


def zones_and_spot(node_group: NodeGroup) -> tuple[tuple[str, ...], bool]:
    """The zone of an existing node, and whether it is a spot node."""
    texts = {key: next(iter(wanted.values), "") for key, wanted in node_group.node.items()}
    spot = "spot" in (texts.get(_CAPACITY), texts.get(_PRIORITY))
    return ((texts[_ZONE],) if texts.get(_ZONE) else ()), spot
