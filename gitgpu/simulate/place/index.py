"""The nodes of a run, found by their free resources, so that a pod is not compared with every node.

Nodes are in buckets: by group, by the label requirements of their pods, by their number of pods and of free devices. A
bucket is skipped if its labels do not match the pod, or if its nodes have too few devices. The others are tried in
order, and most pods get a node of the first. Each entry keeps what is left of its node: many nodes run out of memory
long before they run out of devices, and each later pod would compute that again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from gitgpu.model.syntax.requirement import Requirement, clash
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.fit import by_key, unset_label
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.pod.shape import Shape

_UNKNOWN = 1 << 30  # an unknown amount counts as more than any request


class _Labels(NamedTuple):
    """The label requirements of nodes, and whether the nodes exist."""

    wants: frozenset[Requirement]
    fixed: bool


class _Key(NamedTuple):
    """What the nodes of a bucket have in common.

    Karpenter tries existing nodes in a fixed order, whatever runs on them, then new nodes by their number of pods, so
    `pods` is 0 for existing nodes. New nodes have at least one.
    """

    pods: int
    left: int


class _Entry(NamedTuple):
    """A node, and the most that may be left on it of each resource that pods request."""

    claim: NodeClaim
    room: Mapping[str, Decimal]

    def takes(self, requests: Mapping[str, Decimal]) -> bool:
        """Whether there may be room for these requests."""
        return all(self.room[name] >= amount for name, amount in requests.items())


_Buckets: TypeAlias = dict[_Key, dict[int, _Entry]]  # the entries by the number of their node


class Index:
    """All nodes, indexed to find those that may have room for a pod.

    `resources` are those that pods request; nodes are sorted by the devices among them. With `up`, nodes offer what
    they offer once their software runs.
    """

    def __init__(self, groups: Iterable[NodeGroup], resources: Iterable[str], *, up: bool) -> None:
        self.resources, self.up = tuple(sorted(resources)), up
        self.devices = tuple(name for name in self.resources if "/" in name)
        self.claims: list[NodeClaim] = []
        self._buckets: dict[int, dict[_Labels, _Buckets]] = {id(group): {} for group in groups}
        self._keys: dict[int, _Key] = {}
        self._agreed: dict[tuple[int, _Labels, frozenset[Requirement]], bool] = {}
        self._changes = 0

    def add(self, claim: NodeClaim) -> None:
        """Adds a node."""
        self.claims.append(claim)
        self._insert(claim)

    def update(self, claim: NodeClaim, change: Callable[[NodeClaim], None]) -> None:
        """Changes a node, and moves it to the bucket where it then belongs."""
        buckets = self._buckets[id(claim.group)][_Labels(claim.sort, claim.fixed)]
        key = self._keys[claim.at]
        del buckets[key][claim.at]
        if not buckets[key]:
            del buckets[key]
        before = claim.count
        change(claim)
        if not claim.fixed and claim.count > before:
            self._changes += 1
            # Upstream keeps its list of nodes sorted by number of pods. A node that gets a pod moves behind those with
            # fewer pods, and stays before those that already had as many.
            claim.turn = -self._changes
        self._insert(claim)

    def with_room(self, shape: Shape, groups: Iterable[NodeGroup]) -> Iterator[NodeClaim]:
        """The nodes of some groups that may have room: first existing ones, then those with the fewest pods."""
        need = max((int(shape.requests.get(name, 0)) for name in self.devices), default=0)
        by_pods: dict[int, list[Mapping[int, _Entry]]] = {}
        for group in groups:
            for labels, buckets in self._buckets[id(group)].items():
                if not buckets or not self._agree(group, labels, shape):
                    continue
                for key, entries in buckets.items():
                    if key.left >= need:
                        by_pods.setdefault(key.pods, []).append(entries)
        for pods in sorted(by_pods):  # whatever is left on the nodes: Karpenter does not consider that
            yield from sorted(_taking(by_pods[pods], shape), key=lambda claim: claim.turn)

    def _agree(self, group: NodeGroup, labels: _Labels, shape: Shape) -> bool:
        key = (id(group), labels, shape.key)
        if key not in self._agreed:
            has = by_key(labels.wants)
            unset = clash(has, shape.wants) or unset_label(shape.wants, group, has, fixed=labels.fixed)
            self._agreed[key] = not unset
        return self._agreed[key]

    def _insert(self, claim: NodeClaim) -> None:
        buckets = self._buckets[id(claim.group)].setdefault(_Labels(claim.sort, claim.fixed), {})
        room = claim.free(self.resources, up=self.up)
        key = self._keys[claim.at] = self._key(claim, room)
        buckets.setdefault(key, {})[claim.at] = _Entry(claim, room)

    def _key(self, claim: NodeClaim, room: Mapping[str, Decimal]) -> _Key:
        maximum = max((room[name] for name in self.devices), default=Decimal(0))
        left = _UNKNOWN if maximum.is_infinite() else int(maximum)
        return _Key(0 if claim.fixed else claim.count, left)


def _taking(buckets: Iterable[Mapping[int, _Entry]], shape: Shape) -> Iterator[NodeClaim]:
    """The nodes in some buckets that may have room for a pod."""
    for entries in buckets:
        yield from (entry.claim for entry in entries.values() if entry.takes(shape.requests))
