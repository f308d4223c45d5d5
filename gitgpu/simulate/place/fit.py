"""Whether a pod fits on a node of a group, checked step by step as in Karpenter's NodeClaim.CanAdd."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.model.names.labels import LEGACY_ACCELERATOR_LABEL
from gitgpu.model.names.prefixes import AKS_PREFIX, AMD_PREFIX, NFD_PREFIX, NVIDIA_PREFIX
from gitgpu.model.syntax.requirement import Requirement, Requirements, clash, intersect, undefined_key
from gitgpu.schedule.taint import HARD, untolerated_taints
from gitgpu.simulate.instance.instance_types import TypeSet
from gitgpu.simulate.instance.offerings import OfferingSet
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.pod.shape import Shape

SOFT = "PreferNoSchedule"
# Labels that software adds to a node after it has joined; Karpenter does not know them beforehand.
SOFTWARE = (NVIDIA_PREFIX, AMD_PREFIX, NFD_PREFIX, AKS_PREFIX, LEGACY_ACCELERATOR_LABEL)


class Fit(NamedTuple):
    """The types and offerings of a group that fit a pod, and the label requirements of both together."""

    types: TypeSet
    offered: OfferingSet
    wants: Requirements


class Fits:
    """Remembers its answers: many workloads request the same of a group."""

    def __init__(self) -> None:
        self._agreed: dict[tuple[int, frozenset[Requirement], str], Fit | None] = {}
        self._joined: dict[tuple[int, frozenset[Requirement], str], bool] = {}

    def fit_by_labels(self, shape: Shape, group: NodeGroup) -> Fit | None:
        """The fit by labels and taints only; None if they keep the pod away."""
        key = (id(group), shape.key, shape.tolerance)
        if key not in self._agreed:
            self._agreed[key] = _agreed(shape, group) if not repelling_taints(shape, group) else None
        return self._agreed[key]

    def may_join(self, shape: Shape, node: NodeGroup) -> bool:
        """Whether the labels and taints of an existing node, the only one of its group, allow the pod."""
        key = (id(node), shape.key, shape.tolerance)
        if key not in self._joined:
            wrong_labels = clash(node.node, shape.wants) or unset_label(shape.wants, node, node.node, fixed=True)
            self._joined[key] = not (wrong_labels or repelling_taints(shape, node))
        return self._joined[key]

    def alone(self, shape: Shape, group: NodeGroup) -> Fit | None:
        """The fit of the pod on its own new node, ignoring limits; None if it does not fit."""
        return None if group.maker is Maker.FIXED else self.possible(shape, group)

    def possible(self, shape: Shape, group: NodeGroup) -> Fit | None:
        """The fit of the pod on any node of the group, as if it existed; None if it does not fit."""
        fit = self.fit_by_labels(shape, group)
        if fit is None or group.not_ready or refuses(shape, group):
            return None
        types = fit.types & group.instance_types.fitting(shape.requests) & group.instance_types.without(shape.ports)
        return fit._replace(types=types) if types and enough(types, group, fit.wants) else None


def repelling_taints(shape: Shape, group: NodeGroup) -> list[Mapping[str, Any]]:
    """The taints of a group that the pod does not tolerate."""
    # Karpenter treats PreferNoSchedule as NoSchedule until nothing else of the pod is left to relax.
    return untolerated_taints(group.taints, shape.tolerations, (*HARD, SOFT) if shape.gentle else HARD)


def refuses(shape: Shape, group: NodeGroup) -> bool:
    """Whether the group refuses the pod: Karpenter does not start a node for a pod that it ignores."""
    why = shape.ignored
    return why is not None and (not why.allowed or group.maker is Maker.KARPENTER)


def missing(shape: Shape, group: NodeGroup) -> str:
    """A label that the pod requires and no node of the group has; "" if there is none."""
    return unset_label(shape.wants, group, group.node, fixed=False)


def unset_label(wanted: Requirements, group: NodeGroup, labels: Requirements, *, fixed: bool) -> str:
    """A label that a pod or its volume requires and a node with these labels does not have; "" if there is none.

    An existing node has all its labels. For a new one, Karpenter knows only some in advance.
    """
    if group.labelled:
        wanted = {key: requirement for key, requirement in wanted.items() if not key.startswith(SOFTWARE)}
    # The labels of an existing node are final. "Well known" matters only for a node that is not created yet.
    well_known = frozenset[str]() if fixed and group.maker is Maker.KARPENTER else group.well_known
    return undefined_key(labels, wanted, well_known)


def enough(types: TypeSet, group: NodeGroup, wants: Requirements) -> bool:
    """Whether enough values are left for the minValues of the group, given all requirements of a node."""
    return not lacking_choice(types, group, wants)


def lacking_choice(types: TypeSet, group: NodeGroup, wants: Requirements) -> str:
    """The first label with fewer values left than minValues; "" if there is none."""
    for key, minimum in sorted(group.min_values.items()):
        if len(values_left(key, types, group, wants)) < minimum:
            return key
    return ""


def values_left(key: str, types: TypeSet, group: NodeGroup, wants: Requirements) -> set[str]:
    """The values of a label that count for minValues."""
    values: set[str] = set()  # minValues counts different values, not sizes
    for node_type in group.instance_types.of(types):
        if key in node_type.labels:
            values |= node_type.labels[key].values
    return {value for value in values if wants[key].takes(value)} if group.counts_allowed else values


def within(types: TypeSet, group: NodeGroup, left: Mapping[str, Decimal]) -> TypeSet:
    """The types that can still start without exceeding a limit."""
    # As in addToNewNodeClaim of scheduler.go: a limit of nodes stops the pool for every size.
    if "nodes" in left and left["nodes"] <= 0:
        return 0
    for name, amount in left.items():
        types &= group.instance_types.counting(name, amount)
    return types


def by_key(requirements: Iterable[Requirement]) -> dict[str, Requirement]:
    """Requirements on different labels, by label."""
    return {requirement.key: requirement for requirement in requirements}


def _agreed(shape: Shape, group: NodeGroup) -> Fit | None:
    if clash(group.node, shape.wants) or missing(shape, group):
        return None
    wants = intersect([*group.node.values(), *shape.wants.values()])
    offered = group.offered & group.instance_types.offerings.meeting(wants)
    types = group.types & group.instance_types.meeting(shape.wants.values()) & group.instance_types.selling(offered)
    return Fit(types, offered, wants) if types else None
