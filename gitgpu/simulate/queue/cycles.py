"""The order in which Kueue admits workloads, if all are submitted at once and none ends.

As in pkg/scheduler/scheduler.go of kubernetes-sigs/kueue at 8eab68778fc1: a cycle looks at the first workload of each
ClusterQueue, and starts with those that borrow least, then by priority and age. One that is not admitted, and has
flavors left to try, is the first one again, and the search goes on there. Nothing is preempted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from gitgpu.access import text_at
from gitgpu.objects.queues.flavors import Flavor
from gitgpu.objects.queues.quotas import QuotaOwner
from gitgpu.schedule.quota_tree import Amounts, Node, QuotaTree
from gitgpu.simulate.queue.assignment import FROM_FIRST, Assignment, PodSet, Start, assign

_STRICT = "StrictFIFO"
_KEPT = "other workloads use its quota, or Kueue keeps it for one that waits"


class Unit(NamedTuple):
    """A workload of Kueue: all pods of a job, or one pod of a Deployment. `of` is the number of its object."""

    of: int
    priority: int
    created: str
    sets: tuple[PodSet, ...]


@dataclass(slots=True)
class _Line:
    """The workloads of a queue that have not been decided; the first is the last of the list."""

    queue: QuotaOwner
    units: list[Unit]
    start: Start = FROM_FIRST
    waits: str = ""  # of the first workload

    @property
    def is_strict(self) -> bool:
        """Whether a workload that waits holds up those behind it."""
        return text_at(self.queue.item.body, "spec", "queueingStrategy") == _STRICT

    @property
    def node(self) -> Node:
        """The queue in the tree of quotas."""
        return Node(True, self.queue.name)

    def pop(self) -> Unit:
        """Decides the first workload."""
        self.start, self.waits = FROM_FIRST, ""
        return self.units.pop()


def admit(
    waiting: Mapping[str, list[Unit]],
    queues: Mapping[str, QuotaOwner],
    flavors: Mapping[str, Flavor],
    tree: QuotaTree,
) -> list[tuple[Unit, Assignment]]:
    """Each unit with its assignment, or what it waits for. Uses up the quota of the tree."""
    lines = [_Line(queues[name], sorted(units, key=_order, reverse=True)) for name, units in waiting.items()]
    done: list[tuple[Unit, Assignment]] = []
    tried: set[tuple[Start, ...]] = set()
    while any(line.units for line in lines):
        decided = list(_cycle([line for line in lines if line.units], flavors, tree))
        done += decided
        starts = tuple(line.start for line in lines)
        if decided:
            tried.clear()
        elif starts in tried:
            break  # every further cycle would end in the same way
        tried.add(starts)
    done.extend(chain.from_iterable(map(_rest, lines)))
    return done


def _cycle(lines: Sequence[_Line], flavors: Mapping[str, Flavor], tree: QuotaTree) -> Iterator[tuple[Unit, Assignment]]:
    """A cycle: the workloads that it decides."""
    nominated = [(line, assign(line.units[-1].sets, line.queue, flavors, tree, line.start)) for line in lines]
    nominated.sort(key=lambda pair: (pair[1].level, *_order(pair[0].units[-1]), pair[0].queue.name))
    left = tree  # without what is kept for workloads that wait
    for line, assignment in nominated:
        if assignment.waits:
            if not line.start.flavors or not line.waits:
                line.waits = assignment.waits
            if assignment.use and not _reclaims(line.queue):
                left = left.copy() if left is tree else left
                _use(left, line.node, _kept(line.node, assignment, tree))
            line.start = assignment.later
            if not (line.start.flavors or line.is_strict):
                yield line.units[-1], Assignment(waits=line.waits)
                line.pop()
        elif all(left.available(line.node, resource) >= amount for resource, amount in assignment.use.items()):
            yield line.pop(), assignment
            for each in (tree,) if left is tree else (tree, left):
                _use(each, line.node, assignment.use)
        else:
            line.start, line.waits = assignment.later, _KEPT


def _reclaims(queue: QuotaOwner) -> bool:
    """Whether a queue gets back what others borrow, so that nothing is kept for its workloads."""
    return text_at(queue.item.body, "spec", "preemption", "reclaimWithinCohort") == "Any"


def _kept(node: Node, assignment: Assignment, tree: QuotaTree) -> Amounts:
    """What is kept in a cycle for a workload that waits: quotaResourcesToReserve."""
    kept: Amounts = {}
    for resource, amount in assignment.use.items():
        own, limit = tree.nominal(node, resource), tree.borrowing_limit(node, resource)
        if not assignment.level:
            kept[resource] = max(Decimal(0), min(amount, own - tree.usage(node, resource)))
        else:
            kept[resource] = amount if limit is None else min(amount, own + limit - tree.usage(node, resource))
    return kept


def _rest(line: _Line) -> Iterator[tuple[Unit, Assignment]]:
    """The workloads of a queue whose first one is never admitted."""
    behind = f"ClusterQueue {line.queue.name} is {_STRICT}, and a workload before it waits"
    for number, unit in enumerate(reversed(line.units)):
        yield unit, Assignment(waits=behind if number else line.waits)


def find_rivals(done: Iterable[tuple[Unit, Assignment]], families: Sequence[Node]) -> Mapping[int, Sequence[int]]:
    """For objects that wait, those that were admitted, but may be younger: their priority is equal, their age unknown.

    `families` are the cohorts above all others, or the queues, of the objects by number: these share their quota.
    """
    admitted: dict[tuple[Node, int], dict[int, str]] = {}
    waiting: dict[int, Unit] = {}
    for unit, assignment in done:
        if assignment.waits:
            waiting.setdefault(unit.of, unit)
        else:
            admitted.setdefault((families[unit.of], unit.priority), {})[unit.of] = unit.created
    return {
        number: [
            other
            for other, created in admitted.get((families[number], unit.priority), {}).items()
            if other != number and (created == unit.created or not (created and unit.created))
        ]
        for number, unit in waiting.items()
    }


def _use(tree: QuotaTree, node: Node, use: Mapping[tuple[str, str], Decimal]) -> None:
    for resource, amount in use.items():
        tree.add(node, resource, amount)


def _order(unit: Unit) -> tuple[int, str, int]:
    return -unit.priority, unit.created, unit.of
