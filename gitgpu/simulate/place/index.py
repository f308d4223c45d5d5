"""The nodes of a run, found by what is left of them: without it, every pod would have to ask every node.

Nodes lie in drawers: by group, by what their pods want of labels, by how many pods and free devices they have. A drawer
whose labels cannot agree with a pod's, or whose nodes have too few devices, is not opened; the others are opened one
after the other, and most pods find their node in the first. A node says at a glance what is left of it: many are out of
memory long before they are out of devices, and every later pod meets them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from operator import ge
from typing import NamedTuple, TypeAlias

from gitgpu.model.syntax.requirement import Requirement, clash
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.fit import unset
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.pod.shape import Shape

_Labels: TypeAlias = tuple[frozenset[Requirement], bool]  # and whether the node is there already
_MANY = 1 << 30  # of what nobody knows how much there is


class _Key(NamedTuple):
    """What the nodes of a drawer have in common; drawers are opened in this order.

    Karpenter sorts new nodes by their pods, and asks nodes that are there in one order, whatever is on them.
    """

    new: bool
    pods: int
    left: int


class _Filed(NamedTuple):
    """A node, and the most that may be left on it of each resource that pods request."""

    claim: NodeClaim
    room: Mapping[str, Decimal]

    def takes(self, asks: Mapping[str, Decimal]) -> bool:
        """May there be room for as much?"""
        return all(map(ge, map(self.room.__getitem__, asks), asks.values()))


class Index:
    """All nodes, and how to find those that may take a pod.

    `asks` are the resources that pods ask for; nodes are sorted by the devices among them. With `up` they count as once
    their software runs.
    """

    def __init__(self, groups: Iterable[NodeGroup], asks: Iterable[str], *, up: bool) -> None:
        self.asks, self.up = tuple(sorted(asks)), up
        self.devices = tuple(name for name in self.asks if "/" in name)
        self.claims: list[NodeClaim] = []
        self._drawers: dict[int, dict[_Labels, dict[_Key, dict[int, _Filed]]]] = {id(group): {} for group in groups}
        self._keys: dict[int, _Key] = {}
        self._agreed: dict[tuple[int, _Labels, frozenset[Requirement]], bool] = {}
        self._changes = 0

    def keep(self, claim: NodeClaim) -> None:
        """Adds a node."""
        self.claims.append(claim)
        self._file(claim)

    def changed(self, claim: NodeClaim, change: Callable[[NodeClaim], None]) -> None:
        """Changes a node, and puts it where it then belongs."""
        drawers, key = self._drawers[id(claim.group)][claim.sort, claim.fixed], self._keys[claim.at]
        del drawers[key][claim.at]
        if not drawers[key]:
            del drawers[key]
        before = claim.count
        change(claim)
        if not claim.fixed and claim.count > before:
            self._changes += 1
            claim.turn = -self._changes  # a stable sort puts it before the nodes that had as many pods already
        self._file(claim)

    def near(self, shape: Shape, groups: Iterable[NodeGroup]) -> Iterator[NodeClaim]:
        """The nodes of some groups that may have room: first those that are there, then those with the fewest pods."""
        need = max((int(shape.asks.get(name, 0)) for name in self.devices), default=0)
        found: list[tuple[_Key, dict[int, _Filed]]] = []
        for group in groups:
            for labels, drawers in self._drawers[id(group)].items():
                if drawers and self._agree(group, labels, shape):
                    found.extend((key, filed) for key, filed in drawers.items() if key.left >= need)
        # By the first two fields only: how much is left must not change the order in which nodes are asked.
        found.sort(key=lambda pair: pair[0][:2])
        for _, same in groupby(found, key=lambda pair: pair[0][:2]):
            open_ = (record.claim for _, filed in same for record in filed.values() if record.takes(shape.asks))
            yield from sorted(open_, key=lambda claim: claim.turn)

    def _agree(self, group: NodeGroup, labels: _Labels, shape: Shape) -> bool:
        key = (id(group), labels, shape.key)
        if key not in self._agreed:
            has = {requirement.key: requirement for requirement in labels[0]}
            self._agreed[key] = not (clash(has, shape.wants) or unset(shape, group, has, fixed=labels[1]))
        return self._agreed[key]

    def _file(self, claim: NodeClaim) -> None:
        drawers = self._drawers[id(claim.group)].setdefault((claim.sort, claim.fixed), {})
        room = claim.free(self.asks, up=self.up)
        key = self._keys[claim.at] = self._key(claim, room)
        drawers.setdefault(key, {})[claim.at] = _Filed(claim, room)

    def _key(self, claim: NodeClaim, room: Mapping[str, Decimal]) -> _Key:
        most = max((room[name] for name in self.devices), default=Decimal(0))
        return _Key(not claim.fixed, 0 if claim.fixed else claim.count, _MANY if most.is_infinite() else int(most))
