"""What exists on the cluster: nodes, and the pods that run on them.

They use capacity and count against limits, as calculateExistingNodeClaims in
pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter counts them.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import list_at, reach
from gitgpu.model.names.kinds import NODE
from gitgpu.model.names.labels import (
    AGENTPOOL_LABEL,
    CAPACITY_TYPE_LABEL,
    HOSTNAME_LABEL,
    INSTANCE_TYPE_LABEL,
    LEGACY_AGENTPOOL_LABEL,
    NODEPOOL_LABEL,
    SCALE_SET_PRIORITY_LABEL,
    ZONE_LABEL,
)
from gitgpu.model.syntax.requirement import Requirements, fixed_labels
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.devices import is_gpu_resource
from gitgpu.objects.workload.pods import Pod
from gitgpu.simulate.instance.instance_types import Amounts, InstanceTypes, NodeType
from gitgpu.simulate.instance.overhead import daemons_on
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.node.node_states import NodeState, node_states, removed_nodes
from gitgpu.simulate.pod.admitted_pods import admitted_pods
from gitgpu.simulate.pod.shape import Shape, shapes
from gitgpu.simulate.world import World

# Karpenter sets the first. AKS sets the other two on every node of its pools.
_POOL_LABELS = (NODEPOOL_LABEL, AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL)
_ENDED, _FINISHED = ("Succeeded", "Failed"), ("Complete", "Failed")


class ExistingNode(NamedTuple):
    """A node of the cluster: a group of only this node, its pool, what it uses of the limits, and the pods on it."""

    name: str
    initialized: bool
    group: NodeGroup
    pool: str
    counts: Mapping[str, Decimal]
    pods: tuple[Shape, ...]


class Incomplete(NamedTuple):
    """A node or NodeClaim that is not fully known, with its NodePool ("" if none); `used` if it is simulated."""

    kind: str
    name: str
    pool: str
    unknown: str
    used: bool


class ExistingNodes(NamedTuple):
    """The nodes of the cluster in the order in which Karpenter tries them, and the number of pods that run.

    `unlisted` are the pods on nodes that are not in the input, by the name of the node. `incomplete` are nodes that
    are not fully known.
    """

    nodes: tuple[ExistingNode, ...] = ()
    unlisted: Mapping[str, tuple[Shape, ...]] = {}
    pods: int = 0
    incomplete: tuple[Incomplete, ...] = ()


def has_ended(item: Item) -> bool:
    """Whether the item is a pod or a Job that has finished."""
    if item.identity.kind == "Job":
        conditions = filter(None, list_at(item.body, "status", "conditions"))
        return any(entry.get("type") in _FINISHED and entry.get("status") == "True" for entry in conditions)
    return item.identity.kind == "Pod" and reach(item.body, "status", "phase") in _ENDED


def is_running(item: Item, objects: Objects) -> bool:
    """Whether the item is a pod that has not finished, on a node that stays."""
    node = reach(item.body, "spec", "nodeName") if item.identity.kind == "Pod" else None
    return bool(node) and node not in removed_nodes(objects) and not has_ended(item)


def existing_nodes(objects: Objects, world: World) -> ExistingNodes:
    """The GPU nodes among the objects, and the nodes that are known only because running pods name them."""
    placed: dict[str, list[Pod]] = {}
    for pod in admitted_pods(objects):
        if is_running(pod.item, objects):
            placed.setdefault(str(pod.spec["nodeName"]), []).append(pod)
    states = list(node_states(objects))
    nodes = [_node(state, placed.get(state.name, []), world) for state in states if state.sku]
    named = {item.identity.name for item in objects.of(*NODE)}
    unlisted: dict[str, tuple[Shape, ...]] = {}
    for name in sorted(placed.keys() - named):
        unlisted[name] = tuple(_as_it_runs(pod, objects) for pod in placed[name] if not _is_of_daemon(pod))
    return ExistingNodes(
        nodes=tuple(sorted(nodes, key=lambda node: (not node.initialized, node.name))),
        unlisted=unlisted,
        pods=sum(map(len, placed.values())),
        incomplete=tuple(_incomplete(states, objects)),
    )


def _incomplete(states: Iterable[NodeState], objects: Objects) -> Iterator[Incomplete]:
    """The nodes that are not fully known."""
    for state in states:
        gpus = any(is_gpu_resource(name, objects) and amount for name, amount in state.capacity.items())
        if state.sku is None and (gpus or (state.pool and not state.labels.get(INSTANCE_TYPE_LABEL))):
            size = state.labels.get(INSTANCE_TYPE_LABEL)
            why = f"its size {size} is not in the catalog" if size else "its size is unknown"
            yield Incomplete(state.item.identity.kind, state.name, state.pool, state.unknown or why, used=False)
        elif state.unknown:
            yield Incomplete(state.item.identity.kind, state.name, state.pool, state.unknown, used=True)


def is_of(node: ExistingNode, group: NodeGroup) -> bool:
    """Whether a node belongs to a group. The groups of a pool with several sizes have one size each."""
    return node.pool == group.name and group.size in ("", node.group.instance_types.types[0].sku.name)


def remaining(group: NodeGroup, existing: ExistingNodes) -> dict[str, Decimal]:
    """What existing nodes leave of the limits of a group."""
    left = dict(group.limits)
    for node in existing.nodes:
        if is_of(node, group):
            for name in left:  # none in the group of an existing node
                left[name] -= node.counts.get(name, Decimal(0))
    return left


def _node(state: NodeState, running: list[Pod], world: World) -> ExistingNode:
    assert state.sku is not None
    node = fixed_labels({**state.labels, HOSTNAME_LABEL: state.labels.get(HOSTNAME_LABEL, state.name)})
    left = _after_daemons(state.allocatable, node, state.taints, running, world)
    counts = {**state.capacity, "nodes": Decimal(1)}
    named = [state.labels[key] for key in _POOL_LABELS if state.labels.get(key)]
    pool = named[0] if named else state.name
    size = InstanceTypes([NodeType(state.sku, node, left, left, counts)], world.offerings)
    group = _group_of(state.item, pool, state.taints, size)
    shapes_on_node = tuple(_as_it_runs(pod, world.objects) for pod in running)
    return ExistingNode(state.name, state.initialized, group, pool, counts, shapes_on_node)


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
    for pod in filter(_is_of_daemon, placed):
        for name, amount in {**pod.requests(), "pods": Decimal(1)}.items():
            wanted[name] = wanted.get(name, Decimal(0)) - amount
    # Running daemons may use more than the known DaemonSets request. The difference is not free capacity.
    return {name: amount - max(wanted.get(name, Decimal(0)), Decimal(0)) for name, amount in has.items()}


def _is_of_daemon(pod: Pod) -> bool:
    owners = reach(pod.item.body, "metadata", "ownerReferences") or ()
    return any(reach(owner, "kind") == "DaemonSet" for owner in owners)


def zones_and_spot(node_group: NodeGroup) -> tuple[tuple[str, ...], bool]:
    """The zone of an existing node, and whether it is a spot node."""
    texts = {key: next(iter(wanted.values), "") for key, wanted in node_group.node.items()}
    spot = "spot" in (texts.get(CAPACITY_TYPE_LABEL), texts.get(SCALE_SET_PRIORITY_LABEL))
    return ((texts[ZONE_LABEL],) if texts.get(ZONE_LABEL) else ()), spot
