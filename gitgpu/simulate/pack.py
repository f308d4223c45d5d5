"""Pods onto nodes: the loop of Karpenter's scheduler, and what comes after it once the first nodes are there.

Pods come largest first. Each goes to a node that is there, or that this run has opened (the one with the fewest pods
first), or to a new node of the first group that takes it; where nothing does, one preference less is heeded. What is
left over is tried again with the nodes at the size that was chosen: before, each counts as the largest it may become.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from gitgpu.schedule.requirement import Requirement
from gitgpu.simulate.claim import Claim, settled, strangers, subtracted, tried
from gitgpu.simulate.fit import Fits, within
from gitgpu.simulate.group import NodeGroup
from gitgpu.simulate.index import Index
from gitgpu.simulate.shape import Shape
from gitgpu.simulate.spreading import Spreading

_NODES = 5_000  # a cluster of AKS has no more


class Load(NamedTuple):
    """A workload: its number, the readings of its pods, and how many there are of them."""

    number: int
    shapes: tuple[Shape, ...]
    pods: int


class Packed(NamedTuple):
    """The nodes, how many pods of each workload are on none of them, and what is left of the limits of each group."""

    claims: tuple[Claim, ...]
    left: Mapping[int, int]
    limits: Mapping[str, Mapping[str, Decimal]]


def pack(loads: Sequence[Load], groups: Sequence[NodeGroup], fits: Fits, *, up: bool) -> Packed:
    """The nodes for these pods. With `up` a node holds what it will hold once its software runs."""
    room = _Room(loads, groups, fits, up=up)
    queue = sorted(((load, load.pods) for load in loads), key=lambda pair: _largest(pair[0]))
    before = -1
    while sum(pods for _, pods in queue) not in (before, 0):
        before = sum(pods for _, pods in queue)
        queue = [(load, left) for load, pods in queue if (left := _place(load, pods, room))]
        room.settle()
    limits = {group.name: room.left[id(group)] for group in room.groups}
    return Packed(tuple(room.nodes.claims), {load.number: left for load, left in queue if left}, limits)


def _largest(load: Load) -> tuple[Decimal, Decimal, int]:
    asks: Mapping[str, Decimal] = load.shapes[0].asks if load.shapes else {}
    return (-asks.get("cpu", Decimal(0)), -asks.get("memory", Decimal(0)), load.number)


def _place(load: Load, pods: int, room: "_Room") -> int:
    """How many of the pods find no node; they are alike, so where one finds none, the next does not either."""
    for done in range(pods):
        if not any(room.take(load.number, shape) for shape in load.shapes):
            return pods - done
    return 0


class _Room:
    """All nodes of a run, found by group and by how much they have left."""

    def __init__(self, loads: Sequence[Load], groups: Sequence[NodeGroup], fits: Fits, *, up: bool) -> None:
        self.groups, self.fits, self.up = tuple(sorted(groups, key=lambda one: one.order)), fits, up
        self.spreading = Spreading((shape for load in loads for shape in load.shapes), self.groups)
        self.nodes = Index(self.groups, _asked(loads), up=up)
        self.closed: dict[int, set[int]] = {}
        self.agreeing: dict[tuple[frozenset[Requirement], str], list[NodeGroup]] = {}
        self.left: dict[int, dict[str, Decimal]] = {id(group): dict(group.limits) for group in self.groups}
        for group in self.groups:
            for _ in range(min(group.least, _NODES) if group.types else 0):
                self._start(group)

    def take(self, load: int, shape: Shape) -> bool:
        """Puts a pod somewhere, if it can be."""
        return self._join(load, shape) or self._open(load, shape)

    def settle(self) -> None:
        """Gives every node its size; from then on limits count that."""
        for claim in self.nodes.claims:
            if not claim.fixed:
                self.nodes.changed(claim, _fixed)
        self.left = {id(group): dict(group.limits) for group in self.groups}
        for claim in self.nodes.claims:
            self.left[id(claim.group)] = subtracted(self.left[id(claim.group)], claim)

    def _start(self, group: NodeGroup) -> None:
        claim = Claim(len(self.nodes.claims), group, group.types, group.slots, group.node)
        _fixed(claim)
        self.left[id(group)] = subtracted(self.left[id(group)], claim)
        self.nodes.keep(claim)

    def _join(self, load: int, shape: Shape) -> bool:
        closed = self.closed.setdefault(id(shape), set())
        for claim in self._near(shape, closed):
            if strangers(claim, shape):
                closed.add(claim.at)
                continue
            narrowed = self.spreading.narrowed(shape, claim.wants, claim)
            fit = None if narrowed is None else tried(claim, shape, narrowed, up=self.up)
            if fit:
                self.nodes.changed(claim, partial(settled, fit=fit, load=load, shape=shape))
                self.spreading.record(shape, fit.wants)
                return True
            if not shape.spreads:
                closed.add(claim.at)  # a node only ever gets fuller
        return False

    def _open(self, load: int, shape: Shape) -> bool:
        for group in self.groups:
            fit = self.fits.alone(shape, group)
            types = within(fit.types, group, self.left[id(group)]) if fit else 0
            narrowed = self.spreading.narrowed(shape, fit.wants, None) if fit and types else None
            if fit is None or narrowed is None:
                continue
            claim = Claim(len(self.nodes.claims), group, types, fit.slots, fit.wants)
            both = tried(claim, shape, narrowed, up=self.up)
            if both:
                settled(claim, both, load, shape)
                self.spreading.record(shape, both.wants)
                self.left[id(group)] = subtracted(self.left[id(group)], claim)
                self.nodes.keep(claim)
                return True
        return False

    def _near(self, shape: Shape, closed: set[int]) -> Iterator[Claim]:
        key = (shape.key, shape.tolerance)
        if key not in self.agreeing:
            self.agreeing[key] = [one for one in self.groups if self.fits.agreed(shape, one)]
        return (one for one in self.nodes.near(shape, self.agreeing[key]) if one.at not in closed)


def _asked(loads: Iterable[Load]) -> set[str]:
    return {name for load in loads for shape in load.shapes for name in shape.asks}


def _fixed(claim: Claim) -> None:
    """The node gets the size, and the way to pay, that Karpenter would take first."""
    shelf = claim.group.shelf
    at, to = shelf.best(claim.types, claim.slots)
    claim.types, claim.slots, claim.fixed = 1 << at, shelf.alike(at, to, claim.slots), True
