"""The order in which Kueue admits workloads, if all are submitted at once and none ends.

As in pkg/scheduler/scheduler.go of kubernetes-sigs/kueue at 8eab68778fc1: a cycle looks at the first workload of each
ClusterQueue, and starts with those that borrow least, then by priority and age.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import text_at
from gitgpu.objects.queues.flavors import Flavor
from gitgpu.objects.queues.quotas import QuotaOwner
from gitgpu.schedule.quota_tree import Node, QuotaTree
from gitgpu.simulate.queue.assignment import Assignment, PodSet, assign

_STRICT = "StrictFIFO"  # a workload that waits holds up those behind it


class Unit(NamedTuple):
    """A workload of Kueue: all pods of a job, or one pod of a Deployment. `of` is the number of its object."""

    of: int
    priority: int
    created: str
    sets: tuple[PodSet, ...]


def admit(
    waiting: Mapping[str, list[Unit]],
    queues: Mapping[str, QuotaOwner],
    flavors: Mapping[str, Flavor],
    tree: QuotaTree,
) -> list[tuple[Unit, Assignment]]:
    """Each unit with its assignment, or what it waits for. Uses up the quota of the tree."""
    heads = {name: sorted(units, key=_order, reverse=True) for name, units in waiting.items()}  # the first is last
    done: list[tuple[Unit, Assignment]] = []
    while any(heads.values()):
        nominated = []
        for name, units in heads.items():
            if units:
                unit = units[-1]
                assignment = assign(unit.sets, queues[name], flavors, tree)
                nominated.append((assignment.level, *_order(unit), name, unit, assignment))
        nominated.sort(key=lambda entry: entry[:5])
        for *_, name, unit, assignment in nominated:
            node = Node(True, name)
            if assignment.waits:
                heads[name].pop()
                done.append((unit, assignment))
                if text_at(queues[name].item.body, "spec", "queueingStrategy") == _STRICT:
                    behind = Assignment(waits=f"ClusterQueue {name} is StrictFIFO, and a workload before it waits")
                    done.extend((other, behind) for other in reversed(heads[name]))
                    heads[name] = []
            elif all(tree.available(node, resource) >= amount for resource, amount in assignment.use.items()):
                heads[name].pop()
                done.append((unit, assignment))
                _use(tree, node, assignment.use)
    return done


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
