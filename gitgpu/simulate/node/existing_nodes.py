"""What is on the cluster already: nodes, and the pods that run on them.

They take room and count against limits, as calculateExistingNodeClaims in
pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter counts them.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.offers import POOL
from gitgpu.conform.workload.devices import device_row
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.model.syntax.quantity import quantity
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.simulate.instance.instance_types import Amounts, InstanceTypes, NodeType
from gitgpu.simulate.instance.overhead import reaching
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.pod.label_selectors import HOST
from gitgpu.simulate.pod.shape import Shape, shapes
from gitgpu.simulate.world import World, fixed_labels

_SIZE, _ZONE = "node.kubernetes.io/instance-type", "topology.kubernetes.io/zone"
_CAPACITY, _PRIORITY = "karpenter.sh/capacity-type", "kubernetes.azure.com/scalesetpriority"
_INITIALIZED = "karpenter.sh/initialized"
# AKS sets both on every node of its pools.
_AGENTS = ("kubernetes.azure.com/agentpool", "agentpool")
_OVER = ("Succeeded", "Failed")
_PASSING = (
    "karpenter.sh/unregistered",
    "node.cloudprovider.kubernetes.io/uninitialized",
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
)  # taints that a node loses once it is initialized


class Running(NamedTuple):
    """A node that is there: its place in the order, a group of it alone, its pool, what it counts, what is on it."""

    name: str
    initialized: bool
    group: NodeGroup
    pool: str
    counts: Mapping[str, Decimal]
    pods: tuple[Shape, ...]


class Present(NamedTuple):
    """The nodes that are there, in the order in which they are asked, and all pods that run.

    `seats` are pods by the name of their node, for nodes that are known by name only.
    """

    nodes: tuple[Running, ...] = ()
    seats: Mapping[str, tuple[Shape, ...]] = {}
    pods: int = 0


def is_over(item: Item) -> bool:
    """Is it a pod that has ended?"""
    return item.identity.kind == "Pod" and reach(item.body, "status", "phase") in _OVER


def is_running(item: Item) -> bool:
    """Is it a pod that has a node?"""
    return item.identity.kind == "Pod" and bool(reach(item.body, "spec", "nodeName")) and not is_over(item)


def present(objects: Objects, world: World) -> Present:
    """What is there, as far as the objects say: nodes with GPUs, and pods."""
    placed: dict[str, list[Pod]] = {}
    for pod in pods(objects):
        if is_running(pod.item):
            placed.setdefault(str(pod.spec["nodeName"]), []).append(pod)
    found = [_node(item, placed.get(item.identity.name, []), objects, world) for item in objects.of("", "Node")]
    nodes = [running for running in found if running]
    named = {item.identity.name for item in objects.of("", "Node")}
    seats: dict[str, tuple[Shape, ...]] = {}
    for name in sorted(placed.keys() - named):
        seats[name] = tuple(shapes(pod, objects, gentle=False)[-1] for pod in placed[name] if not _of_daemons(pod))
    pods_there = sum(map(len, placed.values()))
    return Present(tuple(sorted(nodes, key=lambda node: (not node.initialized, node.name))), seats, pods_there)


def remaining(group: NodeGroup, there: Present) -> dict[str, Decimal]:
    """What the nodes that are there leave of the limits of a group."""
    mine = [node.counts for node in there.nodes if node.pool == group.name and node.group is not group]
    left = dict(group.limits)
    for counts in mine:
        for name in left:
            left[name] -= counts.get(name, Decimal(0))
    return left


def _node(item: Item, placed: Iterable[Pod], objects: Objects, world: World) -> Running | None:
    labels = {str(key): str(value) for key, value in (reach(item.body, "metadata", "labels") or {}).items()}
    sku = objects.catalog.sku(labels.get(_SIZE, ""))
    capacity = _amounts(reach(item.body, "status", "capacity") or {})
    if sku is None or not any(_is_device(name, objects) and amount for name, amount in capacity.items()):
        return None
    mine, node = list(placed), fixed_labels({**labels, HOST: labels.get(HOST, item.identity.name)})
    initialized = labels.get(_INITIALIZED) == "true" or POOL not in labels  # only Karpenter sets the label
    taints = _taints(item, initialized=initialized)
    allocatable = _amounts(reach(item.body, "status", "allocatable") or {}) or capacity
    left = _after_daemons(allocatable, node, taints, mine, world)
    counts = {**capacity, "nodes": Decimal(1)}
    instance_types = InstanceTypes([NodeType(sku, node, left, left, counts)], world.offerings)
    group = NodeGroup(
        name=labels.get(POOL) or next((labels[key] for key in _AGENTS if key in labels), item.identity.name),
        maker=Maker.NOBODY,
        item=item,
        node=node,
        known=frozenset(),
        taints=taints,
        instance_types=instance_types,
        types=instance_types.every,
        slots=0,
        limits={},
        minimum={},
        weight=0,
        spots={},
    )
    on_it = tuple(shapes(pod, objects, gentle=False)[-1] for pod in mine)
    return Running(item.identity.name, initialized, group, group.name, counts, on_it)


def _taints(item: Item, *, initialized: bool) -> tuple[Mapping[str, Any], ...]:
    """The taints of a node; of one that is starting, without those that go once it is ready."""
    written = reach(item.body, "spec", "taints") or ()
    return tuple(taint for taint in written if initialized or taint["key"] not in _PASSING)


def _after_daemons(
    has: Mapping[str, Decimal], node: Requirements, taints: tuple[Any, ...], placed: list[Pod], world: World
) -> Amounts:
    """What is left after DaemonSet pods that do not run yet."""
    wanted: dict[str, Decimal] = {}
    for daemon in reaching(world.every, node, taints, frozenset(), world.objects):
        for name, amount in daemon.takes.items():
            wanted[name] = wanted.get(name, Decimal(0)) + amount
    for pod in filter(_of_daemons, placed):
        for name, amount in {**pod.requests(), "pods": Decimal(1)}.items():
            wanted[name] = wanted.get(name, Decimal(0)) - amount
    # Daemons that run may use more than the DaemonSets that are known ask for; that frees nothing.
    return {name: amount - max(wanted.get(name, Decimal(0)), Decimal(0)) for name, amount in has.items()}


def _of_daemons(pod: Pod) -> bool:
    owners = reach(pod.item.body, "metadata", "ownerReferences") or ()
    return any(reach(owner, "kind") == "DaemonSet" for owner in owners)


def _is_device(name: str, objects: Objects) -> bool:
    row = device_row(name, objects)
    return bool(row and row["manufacturer"])


def _amounts(written: Mapping[str, Any]) -> dict[str, Decimal]:
    return dict(_readable(written))


def _readable(written: Mapping[str, Any]) -> Iterator[tuple[str, Decimal]]:
    for name, amount in written.items():
        try:
            yield name, quantity(amount)
        except ValueError:
            continue


def zones_and_spot(node_group: NodeGroup) -> tuple[tuple[str, ...], bool]:
    """The zone of an existing node, and whether it is a spot node."""
    texts = {key: next(iter(wanted.values), "") for key, wanted in node_group.node.items()}
    spot = "spot" in (texts.get(_CAPACITY), texts.get(_PRIORITY))
    return ((texts[_ZONE],) if texts.get(_ZONE) else ()), spot
