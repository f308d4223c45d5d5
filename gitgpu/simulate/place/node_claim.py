"""A node that is being filled: which sizes it may still become, and what is on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from gitgpu.model.syntax.requirement import Requirement, Requirements, clash, intersect
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.fit import Fit, enough
from gitgpu.simulate.pod.host_ports import HostPort
from gitgpu.simulate.pod.shape import Shape

_NONE = Decimal(0)


@dataclass(slots=True, eq=False)
class NodeClaim:
    """A node of a group. `fixed` if it exists and cannot become another size.

    `requested` is the sum of the requests of its pods, `pods` how many of each workload it has, `shapes` their
    readings. `keys` are the requirements that are met already, `sort` the label requirements of all pods, as one value.
    `turn` orders nodes that have the same number of pods. `real` is the name of a node of the cluster, "" for one that
    would be started.
    """

    at: int
    group: NodeGroup
    types: int
    offered: int
    wants: Requirements
    fixed: bool = False
    keys: set[Requirement] = field(default_factory=set)
    requested: dict[str, Decimal] = field(default_factory=dict)
    pods: dict[int, int] = field(default_factory=dict)
    shapes: dict[int, Shape] = field(default_factory=dict)
    ports: set[HostPort] = field(default_factory=set)
    sort: frozenset[Requirement] = frozenset()
    turn: int = 0
    real: str = ""

    def __post_init__(self) -> None:
        self.sort = frozenset(self.wants.values())

    @property
    def count(self) -> int:
        """How many pods it has."""
        return int(self.requested.get("pods", 0))

    def free(self, names: Iterable[str], *, up: bool) -> dict[str, Decimal]:
        """The largest amounts of these resources that may be left on the node."""
        maximum, types, requested = self.group.instance_types.maximum, self.types, self.requested
        return {name: maximum(types, name, up=up) - requested.get(name, _NONE) for name in names}

    def want(self, wants: Requirements) -> None:
        """Sets the label requirements of the node."""
        if self.wants is not wants:  # most pods leave the labels as they are, and the set is slow to build
            self.wants, self.sort = wants, frozenset(wants.values())


def merged_labels(claim: NodeClaim, shape: Shape) -> Requirements | None:
    """The label requirements of the node with one more pod; None if they conflict."""
    more = [requirement for requirement in shape.wants.values() if requirement not in claim.keys]
    if not more:
        return claim.wants  # the same object: `fit_with` then does not compare labels again
    if clash(claim.wants, shape.wants):
        return None
    return intersect([*claim.wants.values(), *more])


def fit_with(claim: NodeClaim, shape: Shape, wants: Requirements, *, up: bool) -> Fit | None:
    """The node with one more pod and these label requirements; None if the pod does not fit."""
    instance_types = claim.group.instance_types
    offered, types = claim.offered, claim.types
    if not claim.group.offered:  # an existing node: its labels are final
        types &= instance_types.fitting(requests_with(claim, shape), up=up)
        return Fit(types, offered, wants) if types else None
    if wants is not claim.wants:
        offered &= instance_types.offerings.meeting(wants)
        types &= instance_types.meeting(requirement for requirement in wants.values() if requirement not in claim.sort)
    types &= (
        instance_types.selling(offered)
        & instance_types.fitting(requests_with(claim, shape), up=up)
        & instance_types.without(shape.ports)
    )
    return Fit(types, offered, wants) if types and (claim.fixed or enough(types, claim.group, wants)) else None


def requests_with(claim: NodeClaim, shape: Shape) -> dict[str, Decimal]:
    """The sum of the requests of the pods on the node and of one more."""
    requests = dict(claim.requested)
    for name, amount in shape.requests.items():
        requests[name] = requests.get(name, _NONE) + amount
    return requests


def add_pod(claim: NodeClaim, fit: Fit, load: int, shape: Shape) -> None:
    """Puts a pod of a workload on the node."""
    claim.want(fit.wants)
    claim.types, claim.offered = fit.types, fit.offered
    claim.requested = requests_with(claim, shape)
    claim.keys |= shape.key
    claim.pods[load] = claim.pods.get(load, 0) + 1
    claim.shapes[load] = shape
    claim.ports |= shape.ports


def name_key(claim: NodeClaim) -> tuple[str, int]:
    """The sort key of existing nodes: their name, as in Karpenter's sortExistingNodes.

    A new node is named after its pool.
    """
    return claim.real or f"aks-{claim.group.name}-", claim.at


def limits_after(left: Mapping[str, Decimal], claim: NodeClaim) -> dict[str, Decimal]:
    """What the limits leave once the node starts: Karpenter counts the largest size that the node may still become."""
    return {name: amount - highest_count(claim, name) for name, amount in left.items()}


def highest_count(claim: NodeClaim, name: str) -> Decimal:
    """The most of a resource that the node may count against a limit."""
    types = claim.group.instance_types.of(claim.types)
    return max((node_type.counts.get(name) or Decimal(0)) for node_type in types)


def limits_in_batch(left: Mapping[str, Decimal], claim: NodeClaim) -> dict[str, Decimal]:
    """What the limits leave within a batch."""
    rest = limits_after(left, claim)
    # Karpenter counts the resources of a new node at once, but against a limit of nodes only once the node exists:
    # subtractMax in pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter.
    if claim.group.maker is Maker.KARPENTER and "nodes" in left:
        rest["nodes"] = left["nodes"]
    return rest
