"""Existing nodes: those of the cluster with the pods that run on them, and those that a batch has started."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from gitgpu.model.names.labels import ZONE_LABEL
from gitgpu.model.syntax.requirement import intersect
from gitgpu.simulate.node.existing_nodes import ExistingNode, ExistingNodes, is_of
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.fit import repelling_taints
from gitgpu.simulate.place.node_claim import NodeClaim, fit_with, merged_labels, requests_with
from gitgpu.simulate.pod.label_selectors import Selector
from gitgpu.simulate.pod.shape import Shape

_NODES = 5_000  # the most that an AKS cluster can have


def existing_claim(node: ExistingNode, turn: int) -> NodeClaim:
    """A node of the cluster, with its pods."""
    group = node.group
    claim = NodeClaim(turn, group, group.types, group.offered, group.node, fixed=True, turn=turn, real=node.name)
    for shape in node.pods:
        _occupy(claim, shape)
    return claim


def inferred_claim(name: str, shapes: Sequence[Shape], pools: Iterable[NodeGroup]) -> NodeClaim | None:
    """A node that only its pods name: assumed to belong to the first pool with a node that fits them all."""
    ready = [group for group in pools if not group.not_ready]
    # AKS names nodes after their pool, so a pool whose name is in that of the node comes first.
    for group in sorted(ready, key=lambda pool: (f"-{pool.name}-" not in f"-{name}", pool.order)):
        claim = _with_all(name, shapes, group)
        if claim:
            fix(claim, in_zone=False)
            return claim
    return None


def lacking_claims(group: NodeGroup, existing: ExistingNodes) -> Iterator[NodeClaim]:
    """The nodes that a pool still needs to reach its minimum size."""
    if not group.types:
        return
    nodes = sum(is_of(node, group) for node in existing.nodes)
    for _ in range(min(group.min_nodes - nodes, _NODES)):
        claim = NodeClaim(0, group, group.types, group.offered, group.node)
        fix(claim, in_zone=False)
        yield claim


def _with_all(name: str, shapes: Sequence[Shape], group: NodeGroup) -> NodeClaim | None:
    """A node of a group with these pods; None if it has no room for all of them."""
    claim = NodeClaim(0, group, group.types, group.offered, group.node, real=name)
    for shape in shapes:
        wants = None if repelling_taints(shape, group) else merged_labels(claim, shape)
        fit = fit_with(claim, shape, wants, up=True) if wants is not None else None
        if fit is None:
            return None
        claim.want(fit.wants)
        claim.types, claim.offered = fit.types, fit.offered
        _occupy(claim, shape)
    return claim if shapes else None


def _occupy(claim: NodeClaim, shape: Shape) -> None:
    number = -1 - len(claim.pods)  # no workload has a number below 0
    claim.pods[number], claim.shapes[number] = 1, shape
    claim.requested = requests_with(claim, shape)
    claim.ports |= shape.ports


def fix(claim: NodeClaim, *, in_zone: bool) -> None:
    """Gives a node the size and capacity type that Karpenter prefers, and the labels of both.

    Karpenter takes any zone with the same price. With `in_zone`, the node is assumed to be in the first of them.
    """
    instance_types = claim.group.instance_types
    type_number, offering_number = instance_types.best(claim.types, claim.offered)
    offered = instance_types.alike(type_number, offering_number, claim.offered)
    claim.types, claim.offered, claim.fixed, claim.turn = 1 << type_number, offered, True, claim.at
    offering_labels = instance_types.offerings.labels(1 << offering_number if in_zone else offered)
    labels = {**instance_types.types[type_number].labels, **offering_labels}
    # A label of a size may also be absent, or unknown: only those with values narrow what the node may have.
    fixed_labels = [label for label in labels.values() if label.operator == "In"]
    claim.want(intersect([*claim.wants.values(), *fixed_labels]))


def is_counted_by_zone(claim: NodeClaim, selectors: Collection[Selector]) -> bool:
    """Whether a pod on the node is counted by zone, or keeps other pods out of its zone.

    `selectors` select the pods that are counted by zone.
    """
    for shape in claim.shapes.values():
        if any(guard.key == ZONE_LABEL for guard in shape.guards):
            return True
        if any(selector.selects(shape.own) for selector in selectors):
            return True
    return False
