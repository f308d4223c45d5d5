"""Pods spread over zones and nodes: where the next one may go.

The counting is that of pkg/controllers/provisioning/scheduling/topologygroup.go of kubernetes-sigs/karpenter: a new
node is always possible, so the emptiest one has no pod; every zone counts that any group could have nodes in, and so
does "no zone".
"""

from collections.abc import Iterable

from gitgpu.schedule.requirement import Requirement, Requirements, requirement
from gitgpu.simulate.claim import Claim
from gitgpu.simulate.fit import kept_off
from gitgpu.simulate.group import NodeGroup
from gitgpu.simulate.selector import HOST, ZONE, Spread
from gitgpu.simulate.shape import Shape


class Spreading:
    """How many pods each spread counts in each zone so far."""

    def __init__(self, shapes: Iterable[Shape], groups: Iterable[NodeGroup]) -> None:
        self.groups = tuple(groups)
        spreads = {one for shape in shapes for one in shape.spreads if one.key == ZONE}
        self._counts: dict[Spread, dict[str, int]] = {one: {} for one in spreads}

    def narrowed(self, shape: Shape, wants: Requirements, claim: Claim | None) -> Requirements | None:
        """The zone that the pod has to be in on such a node; None where it may not be there at all."""
        zone: dict[str, Requirement] = {}
        for one in shape.spreads:
            if one.key == HOST and claim is not None and not _roomy(one, shape, claim):
                return None
            if one.key == ZONE:
                allowed = zone.get(ZONE) or wants.get(ZONE)
                found = self._next(one, shape, allowed)
                if not found:
                    return None
                zone[ZONE] = requirement(ZONE, "In", [found])
        return zone

    def record(self, shape: Shape, wants: Requirements) -> None:
        """Counts a pod that was placed, where its zone is settled."""
        zone = wants.get(ZONE)
        if zone is None or zone.complement or len(zone.values) != 1:
            return
        (value,) = zone.values
        for spread, counts in self._counts.items():
            if spread.selector.means(shape.own):
                counts[value] = counts.get(value, 0) + 1

    def _next(self, one: Spread, shape: Shape, allowed: Requirement | None) -> str:
        """The emptiest zone that keeps the spread even; empty where there is none."""
        universe = self.domains(one, shape)
        own = shape.wants.get(ZONE)
        counted = [zone for zone in universe if own is None or own.takes(zone)]
        counts = self._counts[one]
        least = min((counts.get(zone, 0) for zone in counted), default=0)
        least = 0 if len(counted) < one.least else least
        itself = int(one.selector.means(shape.own))
        open_ = [zone for zone in universe if allowed is None or allowed.takes(zone)]
        even = [zone for zone in open_ if counts.get(zone, 0) + itself - least <= one.skew]
        return min(even, key=lambda zone: (counts.get(zone, 0), zone == "0", zone), default="")

    def domains(self, one: Spread, shape: Shape) -> list[str]:
        """The zones that count: those of every group, whether or not the pod may go there."""
        found: set[str] = set()
        for group in self.groups:
            if one.honours and kept_off(shape, group):
                continue
            own = group.node.get(ZONE)
            found |= {slot.zone for slot in group.shelf.market.slots if own is None or own.takes(slot.zone)}
        return sorted(found)


def _roomy(one: Spread, shape: Shape, claim: Claim) -> bool:
    count = sum(times for load, times in claim.pods.items() if one.selector.means(claim.shapes[load].own))
    return count + int(one.selector.means(shape.own)) <= one.skew
