"""Places pods onto nodes: the loop of Karpenter's scheduler, and the later runs once the first nodes exist.

Pods come largest first (byCPUAndMemoryDescending). A pod goes to an existing node, then to one that this run has opened
(the one with the fewest pods first), then to a new node of the first group that fits. If none fits, the pod drops a
preference and tries again. Pods that are left are tried again with each node at its final size: until then, a node
counts as the largest size that it may become.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypeAlias

from gitgpu.model.names.labels import ZONE_LABEL
from gitgpu.model.syntax.requirement import Requirement, clash, intersect
from gitgpu.simulate.node.existing_nodes import ExistingNodes, remaining
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.fit import Fit, Fits, repelling_taints, unset_label, within
from gitgpu.simulate.place.index import Index
from gitgpu.simulate.place.node_claim import (
    NodeClaim,
    add_pod,
    fit_with,
    limits_after,
    limits_in_batch,
    merged_labels,
    name_key,
)
from gitgpu.simulate.place.occupied import existing_claim, fix, inferred_claim, is_counted_by_zone, lacking_claims
from gitgpu.simulate.place.topology import Topology
from gitgpu.simulate.pod.host_ports import is_taken
from gitgpu.simulate.pod.ignored import Where
from gitgpu.simulate.pod.label_selectors import Selector
from gitgpu.simulate.pod.shape import Shape


class Load(NamedTuple):
    """A workload: its number, the readings of its pods, and how many there are of them."""

    number: int
    shapes: tuple[Shape, ...]
    pods: int


_Waiting: TypeAlias = tuple[Load, int]  # a workload, and how many of its pods have no node


class Packed(NamedTuple):
    """The nodes, how many pods of each workload have no node, and what is left of the limits of each group.

    `limits` are by the id of the group, because two pools can have the same name in files.
    """

    claims: tuple[NodeClaim, ...]
    left: Mapping[int, int]
    limits: Mapping[int, Mapping[str, Decimal]]


class Places(NamedTuple):
    """Where pods may go: groups of nodes and existing nodes; `fits` remembers which pods fit a group."""

    groups: Sequence[NodeGroup]
    fits: Fits
    existing: ExistingNodes = ExistingNodes()


def pack(loads: Sequence[Load], places: Places, *, up: bool) -> Packed:
    """Places these pods onto nodes. With `up`, a node offers what it offers once its software runs."""
    room = _Room(loads, places, up=up)
    queue = [(load, load.pods) for load in sorted(loads, key=_largest) if load.pods]
    before = -1
    while _pods_in(queue) not in (before, 0):
        before = _pods_in(queue)
        queue = room.batch(queue)
        room.settle()
    limits = {id(group): room.left[id(group)] for group in room.pools}
    return Packed(tuple(room.nodes.claims), {load.number: left for load, left in queue if left}, limits)


def _pods_in(queue: Iterable[_Waiting]) -> int:
    return sum(pods for _, pods in queue)


def _by_term(load: Load) -> list[Shape]:
    """A reading for each required node affinity term, if there are several.

    Karpenter reads one term after the other, but kube-scheduler first binds a pod to an existing node of any of them.
    """
    if len(load.shapes) == 1:
        return []
    first: dict[str, Shape] = {}
    for shape in load.shapes:
        first.setdefault(repr(shape.musts), shape)
    return list(first.values()) if len(first) > 1 else []


def _largest(load: Load) -> tuple[Decimal, Decimal, int]:
    requests: Mapping[str, Decimal] = load.shapes[0].requests if load.shapes else {}
    return (-requests.get("cpu", Decimal(0)), -requests.get("memory", Decimal(0)), load.number)


def _is_open(claim: NodeClaim, allowed: frozenset[Where]) -> bool:
    """Whether kube-scheduler may place a pod that Karpenter ignores on the node."""
    if claim.real:
        return Where.EXISTING in allowed
    if claim.group.maker is not Maker.KARPENTER:
        return Where.OTHER_POOLS in allowed
    return Where.ONCE_UP in allowed and claim.fixed  # Karpenter does not plan for the pod, but its node may have room


class _Room:
    """All nodes of a run, found by group and by how much they have left."""

    def __init__(self, loads: Sequence[Load], places: Places, *, up: bool) -> None:
        self.fits, self.up = places.fits, up
        self.pools = tuple(sorted(places.groups, key=lambda group: group.order))
        self.groups = (*self.pools, *(node.group for node in places.existing.nodes))
        self.by_zone: set[Selector] = set()
        resources: set[str] = set()
        for load in loads:
            for shape in load.shapes:
                resources.update(shape.requests)
                self.by_zone.update(rule.selector for rule in shape.rules if rule.key == ZONE_LABEL)
        self.nodes = Index(self.groups, resources, up=up)
        self.closed: dict[int, set[int]] = {}
        self.agreeing: dict[tuple[frozenset[Requirement], str], list[NodeGroup]] = {}
        self.limits = {id(group): remaining(group, places.existing) for group in self.groups}
        self.left = {name: dict(limits) for name, limits in self.limits.items()}
        self._add_existing(places.existing)
        self.topology = Topology(self.groups, self.nodes.claims)

    def _add_existing(self, existing: ExistingNodes) -> None:
        """Adds the nodes of the cluster, then what pools lack to their minimum size."""
        for node in existing.nodes:
            self.nodes.add(existing_claim(node, len(self.nodes.claims)))
        for name, shapes in existing.unlisted.items():
            if claim := inferred_claim(name, shapes, self.pools):
                self._add(claim)
        for group in self.pools:
            for claim in lacking_claims(group, existing):
                self._add(claim)

    def batch(self, queue: Sequence[_Waiting]) -> list[_Waiting]:
        """Places the pods of a batch, and retries those without a node while others find one. Returns the rest."""
        self.topology = Topology(self.groups, self.nodes.claims)
        self.closed.clear()
        for load in sorted((load for load, _ in queue), key=lambda load: load.number):
            for shape in load.shapes[:1]:
                self.topology.register(shape)
        waiting, before = list(queue), -1
        while _pods_in(waiting) not in (before, 0):
            before = _pods_in(waiting)
            tried = [(load, self._place(load, pods)) for load, pods in waiting]
            waiting = [(load, left) for load, left in tried if left]
        return waiting

    def settle(self) -> None:
        """Gives every node its final size; from then on, limits count that size."""
        for claim in self.nodes.claims:
            if not claim.fixed:
                self.nodes.update(claim, partial(fix, in_zone=is_counted_by_zone(claim, self.by_zone)))
        self.left = {name: dict(limits) for name, limits in self.limits.items()}
        for claim in self.nodes.claims:
            self.left[id(claim.group)] = limits_after(self.left[id(claim.group)], claim)
        existing_claims = [claim for claim in self.nodes.claims if claim.fixed]
        for turn, claim in enumerate(sorted(existing_claims, key=name_key)):
            claim.turn = turn

    def _place(self, load: Load, pods: int) -> int:
        """How many of the pods do not get a node. They are alike: if one gets none, the rest do not either."""
        terms = _by_term(load)
        for done in range(pods):
            bound = any(self._join(load.number, shape, existing=True) for shape in terms)
            if not bound and not any(self._take(load.number, shape) for shape in load.shapes):
                return pods - done
        return 0

    def _take(self, load: int, shape: Shape) -> bool:
        """Places a pod on an existing or a new node; False if there is none for it."""
        return self._join(load, shape) or self._open(load, shape)

    def _add(self, claim: NodeClaim) -> None:
        """Adds an existing node, which counts against the limits of its group."""
        claim.at = claim.turn = len(self.nodes.claims)
        self.left[id(claim.group)] = limits_after(self.left[id(claim.group)], claim)
        self.nodes.add(claim)

    def _join(self, load: int, shape: Shape, *, existing: bool = False) -> bool:
        self.topology.register(shape)
        closed, can_reopen = self.closed.setdefault(id(shape), set()), self.topology.can_reopen(shape)
        for claim in self._near(shape, closed):
            if existing and not claim.fixed:
                continue
            if shape.ignored and not _is_open(claim, shape.ignored.allowed):
                continue
            fit = self._fit(claim, shape)
            if fit:
                self.nodes.update(claim, partial(add_pod, fit=fit, load=load, shape=shape))
                self.topology.record(shape, claim)
                return True
            if not can_reopen:
                closed.add(claim.at)  # a node only ever gets fuller
        return False

    def _open(self, load: int, shape: Shape) -> bool:
        for group in self.pools:
            fit = self.fits.alone(shape, group)
            types = within(fit.types, group, self.left[id(group)]) if fit else 0
            if fit is None or not types:
                continue
            claim = NodeClaim(len(self.nodes.claims), group, types, fit.offered, fit.wants)
            claim.turn = claim.at
            both = self._fit(claim, shape)
            if both:
                add_pod(claim, both, load, shape)
                self.topology.record(shape, claim)
                self.left[id(group)] = limits_in_batch(self.left[id(group)], claim)
                self.nodes.add(claim)
                return True
        return False

    def _fit(self, claim: NodeClaim, shape: Shape) -> Fit | None:
        """The fit of a pod on a node, for the first choice of labels that the affinity and spread rules allow."""
        wants = None if is_taken(shape.ports, claim.ports) else merged_labels(claim, shape)
        if wants is None:
            return None
        for volumes in shape.volumes or ({},):
            if clash(wants, volumes) or unset_label(volumes, claim.group, wants, fixed=claim.fixed):
                continue
            mounted = intersect([*wants.values(), *volumes.values()]) if volumes else wants
            for choice in self.topology.choices(shape, claim, mounted):
                narrowed = intersect([*mounted.values(), *choice.values()]) if choice else mounted
                if fit := fit_with(claim, shape, narrowed, up=self.up):
                    return fit
        return None

    def _near(self, shape: Shape, closed: set[int]) -> Iterator[NodeClaim]:
        key = (shape.key, shape.tolerance)
        if key not in self.agreeing:
            tolerated_groups = (group for group in self.groups if not repelling_taints(shape, group))
            self.agreeing[key] = [
                node_group for node_group in tolerated_groups if not clash(node_group.node, shape.wants)
            ]
        return (claim for claim in self.nodes.with_room(shape, self.agreeing[key]) if claim.at not in closed)
