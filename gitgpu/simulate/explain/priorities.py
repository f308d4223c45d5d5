"""What is uncertain because kube-scheduler reads priorities and Karpenter does not."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from gitgpu.simulate.forecast import Doubt
from gitgpu.simulate.node.existing_nodes import ExistingNode
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.scheduler import Load, Packed, Places
from gitgpu.simulate.pod.shape import Shape


class Priorities:
    """Finds workloads whose nodes kube-scheduler may give to other pods."""

    def __init__(self, loads: Sequence[Load], packed: Packed, places: Places) -> None:
        self._places = places
        self._waiting = [load for load in loads if packed.left.get(load.number)]
        placed_numbers = {number for claim in packed.claims if not claim.real for number in claim.pods}
        self._placed = [load for load in loads if load.number in placed_numbers]
        self._running = {pod.priority for node in places.existing.nodes for pod in node.pods}

    def doubts(self, load: Load, claims: Sequence[NodeClaim]) -> Iterator[Doubt]:
        """The doubts about a workload with these nodes."""
        shape = load.shapes[-1]
        preempts = shape.priority.preempts and any(map(shape.priority.may_precede, self._running))
        if preempts and not (claims and all(claim.real for claim in claims)):
            for node in self._places.existing.nodes:
                if self._frees_enough(shape, node):
                    text = f"kube-scheduler may evict pods with a lower priority from {node.name} instead"
                    yield Doubt("model", text)
                    break
        own = shape.priority
        higher = [other for other in self._waiting if other.shapes[-1].priority.may_precede(own)]
        if claims and any(self._share(load, other) for other in higher):
            yield Doubt("model", "kube-scheduler may give its node to a waiting pod with a higher priority")
        lower = [other for other in self._placed if own.may_precede(other.shapes[-1].priority)]
        if load in self._waiting and any(self._share(load, other) for other in lower):
            yield Doubt("model", "kube-scheduler may give it the node of a pod with a lower priority")

    def _frees_enough(self, shape: Shape, node: ExistingNode) -> bool:
        """Whether the pod fits on the node without the pods that have a lower priority."""
        if not self._places.fits.may_join(shape, node.group):
            return False
        kept = [other for other in node.pods if not shape.priority.may_precede(other.priority)]
        if len(kept) == len(node.pods):
            return False
        (size,) = node.group.instance_types.types
        for name, amount in shape.requests.items():
            used = sum((other.requests.get(name, Decimal(0)) for other in kept), Decimal(0))
            if (size.offers.get(name) or Decimal(0)) - used < amount:
                return False
        return True

    def _share(self, load: Load, other: Load) -> bool:
        """Whether a node of some group could run either of the two."""
        possible, first, second = self._places.fits.possible, load.shapes[-1], other.shapes[-1]
        groups = (group for group in self._places.groups if possible(first, group))
        return load.number != other.number and any(possible(second, group) for group in groups)
