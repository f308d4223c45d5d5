"""A group of nodes as a scheduler sees it, created by Karpenter, by the cluster autoscaler, or by hand.

A new source of nodes is a new function that returns `NodeGroup`s.
"""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.diagnostic import Places
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.objects import Item
from gitgpu.simulate.instance.instance_types import InstanceTypes
from gitgpu.source import Pointer, Span


class Maker(StrEnum):
    """What creates the nodes of a group."""

    KARPENTER = "Karpenter"
    AUTOSCALER = "the cluster autoscaler"
    FIXED = "fixed"  # the number of nodes is fixed


class NotReady(NamedTuple):
    """Why a group has no nodes at all: what is wrong, what to do, where."""

    kind: str
    message: str
    help: str
    at: Span


class NodeGroup(NamedTuple):
    """Nodes that are alike for a scheduler.

    `node` are their labels, `well_known` the keys that a pod may require although the group does not set them. `types`
    are the usable types of `instance_types`, `offered` the usable offerings. `limits` is the most of each resource,
    `min_values` how many values of a label must be left to choose from (minValues); with `counts_allowed`, only values
    that a new node may have count. The group never has fewer than `min_nodes` nodes. With `labelled`, software on the
    nodes may add labels before a pod is placed. `requires` are facts that a size must have, as keys of its row.
    `pointers` are where requirements, taints, labels and limits are written; `places` finds their lines. `size` is set
    if it is one of several groups of a node pool, which has nodes of several sizes.
    """

    name: str
    maker: Maker
    item: Item
    node: Requirements
    well_known: frozenset[str]
    taints: tuple[Mapping[str, Any], ...]
    instance_types: InstanceTypes
    types: int
    offered: int
    limits: Mapping[str, Decimal]
    min_values: Mapping[str, int]
    weight: int
    pointers: Mapping[str, Pointer]
    min_nodes: int = 0
    labelled: bool = False
    not_ready: NotReady | None = None
    requires: tuple[str, ...] = ()
    counts_allowed: bool = False
    size: str = ""

    @property
    def places(self) -> Places:
        """Finds the places of its values."""
        return self.item.given.places

    def at(self, name: str, *more: str | int) -> Span:
        """The place of a label (by its key), or of requirements, taints, limits."""
        return self.places.span((*self.pointers.get(name, ()), *more))

    @property
    def order(self) -> tuple[int, list[int]]:
        """The sort key for the order in which Karpenter tries groups: higher weights first, then names from Z to A.

        OrderByWeight of pkg/utils/nodepool/nodepool.go in kubernetes-sigs/karpenter.
        """
        # The 0 is larger than the number of any letter, so that a name comes after longer names that start with it.
        return (-self.weight, [*(-ord(letter) for letter in self.name), 0])
