"""Doubts that pass from one workload to another: they could land on the same node, or compete for a limit."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product

from gitgpu.model.syntax.requirement import intersect
from gitgpu.simulate.forecast import Doubt, Node, Verdict
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.scheduler import Load, Packed, Places
from gitgpu.simulate.pod.shape import Shape
from gitgpu.spelling import join_names

_NAMED = 3  # workloads that a doubt names


def with_shared_doubts(verdicts: Sequence[Verdict], every: Iterable[tuple[NodeClaim, Node]]) -> list[Verdict]:
    """The verdicts, with a doubt for each workload that may get another node if an uncertain one was not there."""
    uncertain = {verdict.number: verdict.title for verdict in verdicts if not verdict.certain}
    beside: dict[int | None, set[str]] = {}
    for claim, node in every:
        remaining_numbers = [number for number in claim.pods if number not in uncertain]
        # Pods that Karpenter ignores only use what is left on the nodes of others.
        decisive = [number for number in claim.pods if number in uncertain and not claim.shapes[number].ignored]
        if decisive and remaining_numbers and not node.exists and not _get(claim, remaining_numbers, node):
            for number in remaining_numbers:
                beside.setdefault(number, set()).update(uncertain[other] for other in decisive)
    return [_with_shared(verdict, beside.get(verdict.number)) for verdict in verdicts]


def _get(claim: NodeClaim, numbers: Sequence[int], node: Node) -> bool:
    """Whether these workloads alone get a node of the same size and capacity type."""
    group, types = claim.group, claim.group.instance_types
    wants = intersect(want for number in numbers for want in claim.shapes[number].wants.values())
    requests: dict[str, Decimal] = {}
    for number in numbers:
        for name, amount in claim.shapes[number].requests.items():
            requests[name] = requests.get(name, Decimal(0)) + amount * claim.pods[number]
    offered = group.offered & types.offerings.meeting(wants)
    possible = group.types & types.meeting(wants.values()) & types.selling(offered) & types.fitting(requests, up=True)
    if not possible:
        return False
    size, offering = types.best(possible, offered)
    return (types.types[size].sku.name, types.offerings.by_number[offering].spot) == (node.sku, node.spot)


def _with_shared(verdict: Verdict, titles: Collection[str] | None) -> Verdict:
    if not titles:
        return verdict
    doubt = Doubt("model", f"it shares a node with {_listed(sorted(titles))}, whose placement is uncertain")
    return verdict._replace(doubts=(*verdict.doubts, doubt))


def _listed(titles: Sequence[str]) -> str:
    more = [f"{len(titles) - _NAMED} more"] if len(titles) > _NAMED else []
    return join_names([*dict.fromkeys(titles[:_NAMED]), *more])


class SharedNodes:
    """The workloads whose placement is uncertain, by their titles, and whom this concerns."""

    def __init__(self, uncertain: Sequence[tuple[str, Load]], packed: Packed, places: Places) -> None:
        self._uncertain, self._packed, self._places = uncertain, packed, places
        self._types: dict[tuple[int, int], int] = {}

    def doubts(self, load: Load) -> Iterator[Doubt]:
        """A doubt about a workload that could share a node with an uncertain one."""
        names = [title for title, other in self._uncertain if other.number != load.number and self._meets(load, other)]
        if names:
            yield Doubt(
                "model", f"it could share a node or a limit with {_listed(names)}, whose placement is uncertain"
            )

    def _meets(self, load: Load, other: Load) -> bool:
        if any(_concerns(one, two) for one, two in product(load.shapes, other.shapes)):
            return True
        if any(self._share(load, other, group) for group in self._places.groups):
            return True
        join, one, two = self._places.fits.may_join, load.shapes[-1], other.shapes[-1]
        return any(join(one, node.group) and join(two, node.group) for node in self._places.existing.nodes)

    def _share(self, load: Load, other: Load, group: NodeGroup) -> bool:
        types = self._possible(load, group)
        others = self._possible(other, group) if types else 0
        if not others:
            return False
        fitting = group.instance_types.fitting(_together(load, other), up=True)
        return bool(types & others & fitting) or self._may_reach_limit(other, others, group)

    def _possible(self, load: Load, group: NodeGroup) -> int:
        """The sizes of the group on which a pod of the workload fits, in any of its readings."""
        key = (load.number, id(group))
        if key not in self._types:
            fits = (self._places.fits.possible(shape, group) for shape in load.shapes)
            types = 0
            for fit in fits:
                types |= fit.types if fit else 0
            self._types[key] = types
        return self._types[key]

    def _may_reach_limit(self, other: Load, types: int, group: NodeGroup) -> bool:
        """Whether the limits of the group leave no room for a node for each pod of the other workload."""
        for name, left in self._packed.limits[id(group)].items():
            largest = max((size.counts.get(name) or Decimal(0)) for size in group.instance_types.of(types))
            if left < largest * other.pods:
                return True
        return False


def _concerns(one: Shape, two: Shape) -> bool:
    """Whether a rule of one of two pods is about the other."""
    is_first = any(rule.selector.selects(two.own) for rule in one.rules)
    return is_first or any(rule.selector.selects(one.own) for rule in two.rules)


def _together(load: Load, other: Load) -> Mapping[str, Decimal]:
    one, two = load.shapes[-1].requests, other.shapes[-1].requests
    return {name: one.get(name, Decimal(0)) + two.get(name, Decimal(0)) for name in {**one, **two}}
