"""How much quota a queue of Kueue has, borrows and lends: a tree of cohorts with queues as leaves.

The arithmetic is that of pkg/cache/scheduler/resource_node.go and of pkg/scheduler/preemption/classical/
hierarchical_preemption.go of kubernetes-sigs/kueue at 8eab68778fc1.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple, Self, TypeAlias

FlavorResource: TypeAlias = tuple[str, str]  # a flavor and a resource
Amounts: TypeAlias = dict[FlavorResource, Decimal]
_ZERO = Decimal(0)


class Node(NamedTuple):
    """A queue or a cohort; the names of queues and of cohorts are separate."""

    is_queue: bool
    name: str


class Limits(NamedTuple):
    """What a node owns, and how much it borrows and lends at most; None is unlimited."""

    nominal: Decimal = _ZERO
    borrowing: Decimal | None = None
    lending: Decimal | None = None


_NONE = Limits()


@dataclass(frozen=True, slots=True)
class QuotaTree:
    """The nodes with their parents and limits, what each has with its children, and what is in use.

    `parents` has no cycle, and every parent is a node. `use` is the only part that changes.
    """

    parents: Mapping[Node, Node]
    limits: Mapping[Node, Mapping[FlavorResource, Limits]]
    totals: Mapping[Node, Amounts]
    heights: Mapping[Node, int]
    use: dict[Node, Amounts] = field(default_factory=dict)

    def potential(self, node: Node, resource: FlavorResource) -> Decimal:
        """The most that a node can have, if nothing is in use."""
        total, parent = self._total(node, resource), self.parents.get(node)
        if parent is None:
            return total
        most = self._own(node, resource) + self.potential(parent, resource)
        limit = self._limits(node, resource).borrowing
        return most if limit is None else min(most, total + limit)

    def available(self, node: Node, resource: FlavorResource) -> Decimal:
        """What is left for a node; negative if more is in use than there is."""
        total, used, parent = self._total(node, resource), self.usage(node, resource), self.parents.get(node)
        if parent is None:
            return total - used
        own = self._own(node, resource)
        above = self.available(parent, resource)
        limit = self._limits(node, resource).borrowing
        if limit is not None:
            above = min(above, total - own - max(_ZERO, used - own) + limit)
        return max(_ZERO, own - used) + above

    def root(self, node: Node) -> Node:
        """The cohort above all others; the node itself without a parent."""
        while node in self.parents:
            node = self.parents[node]
        return node

    def add(self, node: Node, resource: FlavorResource, amount: Decimal) -> None:
        """Puts an amount to use; what a node does not keep for itself counts in its cohort too."""
        left = max(_ZERO, self._own(node, resource) - self.usage(node, resource))
        used = self.use.setdefault(node, {})
        used[resource] = used.get(resource, _ZERO) + amount
        parent = self.parents.get(node)
        if parent is not None and amount > left:
            self.add(parent, resource, amount - left)

    def copy(self) -> Self:
        """The same tree, whose use changes on its own."""
        return replace(self, use={node: dict(amounts) for node, amounts in self.use.items()})

    def nominal(self, node: Node, resource: FlavorResource) -> Decimal:
        """What a node owns."""
        return self._limits(node, resource).nominal

    def borrowing_limit(self, node: Node, resource: FlavorResource) -> Decimal | None:
        """The most that a node borrows; None is unlimited."""
        return self._limits(node, resource).borrowing

    def borrowing_level(self, node: Node, resource: FlavorResource, amount: Decimal) -> int:
        """How far above a queue the quota for an amount is: 0 if the queue itself has it, 1 in its cohort."""
        return self.lowest_subtree(node, resource, amount)[0]

    def lowest_subtree(self, node: Node, resource: FlavorResource, amount: Decimal) -> tuple[int, bool]:
        """The level of the lowest cohort that has the quota for an amount, and whether there are others above it."""
        if node not in self.parents or not self._borrows(node, resource, amount):
            return 0, node in self.parents
        remaining, level = amount, 0
        at: Node | None = node
        while at is not None:
            level = self.heights[at]
            if not self._borrows(at, resource, remaining):
                return level, at in self.parents
            remaining -= max(_ZERO, self._own(at, resource) - self.usage(at, resource))
            at = self.parents.get(at)
        return level, False

    def usage(self, node: Node, resource: FlavorResource) -> Decimal:
        """What a node uses."""
        return self.use.get(node, {}).get(resource, _ZERO)

    def _borrows(self, node: Node, resource: FlavorResource, amount: Decimal) -> bool:
        return self.usage(node, resource) + amount > self._total(node, resource)

    def _own(self, node: Node, resource: FlavorResource) -> Decimal:
        """What a node never lends."""
        return _own(self._total(node, resource), self._limits(node, resource))

    def _total(self, node: Node, resource: FlavorResource) -> Decimal:
        return self.totals.get(node, {}).get(resource, _ZERO)

    def _limits(self, node: Node, resource: FlavorResource) -> Limits:
        return self.limits.get(node, {}).get(resource, _NONE)


def quota_tree(limits: Mapping[Node, Mapping[FlavorResource, Limits]], parents: Mapping[Node, Node]) -> QuotaTree:
    """The tree of nodes without a cycle. Nodes that lead into a cycle are not in it: Kueue does not use them."""
    lost = in_cycles(parents)
    kept = {child: parent for child, parent in parents.items() if child not in lost}
    totals: dict[Node, Amounts] = {}
    heights: dict[Node, int] = {}
    for node in _children_first(kept, (node for node in limits if node not in lost)):
        node_totals = totals.setdefault(node, {})
        for resource, owned in limits.get(node, {}).items():
            node_totals[resource] = node_totals.get(resource, _ZERO) + owned.nominal
        heights.setdefault(node, 0)
        parent = kept.get(node)
        if parent is not None:
            heights[parent] = max(heights.get(parent, 0), heights[node] + 1)
            above = totals.setdefault(parent, {})
            for resource, total in node_totals.items():
                lent = total - _own(total, limits.get(node, {}).get(resource, _NONE))
                above[resource] = above.get(resource, _ZERO) + lent
    return QuotaTree(kept, limits, totals, heights)


def in_cycles(parents: Mapping[Node, Node]) -> frozenset[Node]:
    """The nodes in a cycle of parents, and those below one."""
    ends: dict[Node, bool] = {}
    for start in parents:
        path: dict[Node, None] = {}
        at: Node | None = start
        while at is not None and at not in ends and at not in path:
            path[at] = None
            at = parents.get(at)
        lost = at is not None and (at in path or ends[at])
        ends.update(dict.fromkeys(path, lost))
    return frozenset(node for node, lost in ends.items() if lost)


def _own(total: Decimal, limits: Limits) -> Decimal:
    return _ZERO if limits.lending is None else max(_ZERO, total - limits.lending)


def _children_first(parents: Mapping[Node, Node], others: Iterable[Node]) -> Iterator[Node]:
    """Every node, after all nodes below it."""
    depths: dict[Node, int] = {}
    for start in dict.fromkeys((*parents, *parents.values(), *others)):
        path: list[Node] = []
        at: Node | None = start
        while at is not None and at not in depths:
            path.append(at)
            at = parents.get(at)
        depth = -1 if at is None else depths[at]
        for node in reversed(path):
            depth += 1
            depths[node] = depth
    return iter(sorted(depths, key=lambda node: -depths[node]))
