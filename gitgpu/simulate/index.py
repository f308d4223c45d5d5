"""The nodes of a run, found by what is left of them: without it, every pod would have to ask every node.

Nodes lie in drawers: by group, by what their pods want of labels, by how many pods and free devices they have. A drawer
whose labels cannot agree with a pod's, or whose nodes have too few devices, is not opened; the others are opened one
after the other, and most pods find their node in the first.
"""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple, TypeAlias

from gitgpu.schedule.requirement import Requirement, clash
from gitgpu.simulate.claim import Claim
from gitgpu.simulate.group import NodeGroup
from gitgpu.simulate.shape import Shape

_Labels: TypeAlias = frozenset[Requirement]
_MANY = 1 << 30  # of what nobody knows how much there is


class _Key(NamedTuple):
    """What the nodes of a drawer have in common; drawers are opened in this order."""

    new: bool
    pods: int
    left: int


class Index:
    """All nodes, and how to find those that may take a pod. `devices` are the resources that nodes are sorted by."""

    def __init__(self, groups: Iterable[NodeGroup], devices: Iterable[str]) -> None:
        self.devices = tuple(devices)
        self.claims: list[Claim] = []
        self._drawers: dict[int, dict[_Labels, dict[_Key, dict[int, Claim]]]] = {id(group): {} for group in groups}
        self._agreed: dict[tuple[_Labels, _Labels], bool] = {}

    def keep(self, claim: Claim) -> None:
        """Adds a node."""
        self.claims.append(claim)
        self._file(claim)

    def changed(self, claim: Claim, change: Callable[[Claim], None]) -> None:
        """Changes a node, and puts it where it then belongs."""
        drawers, key = self._drawers[id(claim.group)][claim.sort], self._key(claim)
        del drawers[key][claim.at]
        if not drawers[key]:
            del drawers[key]
        change(claim)
        self._file(claim)

    def near(self, shape: Shape, groups: Iterable[NodeGroup]) -> Iterator[Claim]:
        """The nodes of some groups that may have room: first those that are there, then those with the fewest pods."""
        need = max((int(shape.asks.get(name, 0)) for name in self.devices), default=0)
        found = [
            (key, claims)
            for group in groups
            for labels, drawers in self._drawers[id(group)].items()
            if drawers and self._agree(labels, shape)
            for key, claims in drawers.items()
            if key.left >= need
        ]
        found.sort(key=lambda one: one[0][:2])
        for _, same in groupby(found, key=lambda one: one[0][:2]):
            yield from sorted((claim for _, claims in same for claim in claims.values()), key=lambda one: one.at)

    def _agree(self, labels: _Labels, shape: Shape) -> bool:
        key = (labels, shape.key)
        if key not in self._agreed:
            self._agreed[key] = not clash({one.key: one for one in labels}, shape.wants)
        return self._agreed[key]

    def _file(self, claim: Claim) -> None:
        drawers = self._drawers[id(claim.group)].setdefault(claim.sort, {})
        drawers.setdefault(self._key(claim), {})[claim.at] = claim

    def _key(self, claim: Claim) -> _Key:
        most = max((claim.free(name) for name in self.devices), default=Decimal(0))
        return _Key(not claim.fixed, claim.count, _MANY if most.is_infinite() else int(most))
