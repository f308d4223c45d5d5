"""The flavors that Kueue gives to the pods of a workload, as far as quota is left: without preemption.

As findFlavorForPodSets in pkg/scheduler/flavorassigner/flavorassigner.go of kubernetes-sigs/kueue at 8eab68778fc1.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import text_at
from gitgpu.objects.queues.flavors import Flavor
from gitgpu.objects.queues.matching import mismatch
from gitgpu.objects.queues.quotas import QuotaOwner, ResourceGroup
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.quota_tree import Amounts, Node, QuotaTree

_ZERO = Decimal(0)
_NEXT = "TryNextFlavor"  # instead of the first flavor that fits, if it borrows there


class PodSet(NamedTuple):
    """Pods of one template that start together, and what one of them requests."""

    pod: Pod
    number: int
    requests: Mapping[str, Decimal]


class Assignment(NamedTuple):
    """The flavors of the pod sets, what they use and how far up they borrow; or what the workload waits for."""

    flavors: tuple[str, ...] = ()
    use: Mapping[tuple[str, str], Decimal] = {}
    level: int = 0
    waits: str = ""


def assign(sets: tuple[PodSet, ...], queue: QuotaOwner, flavors: Mapping[str, Flavor], tree: QuotaTree) -> Assignment:
    """The assignment of a workload in a queue."""
    use: Amounts = {}
    names: dict[str, None] = {}
    level = 0
    for pod_set in sets:
        for group in queue.groups:
            needed = {
                name: amount * pod_set.number for name, amount in pod_set.requests.items() if name in group.covered
            }
            if not needed:
                continue
            chosen = _of_group(pod_set.pod, needed, group, (queue, flavors, tree, use))
            if chosen.waits:
                return chosen
            level = max(level, chosen.level)
            names.update(dict.fromkeys(chosen.flavors))
            for resource, amount in chosen.use.items():
                use[resource] = use.get(resource, _ZERO) + amount
        uncovered = sorted(name for name in pod_set.requests if queue.group_of(name) is None)
        if uncovered:
            return Assignment(waits=f"ClusterQueue {queue.name} has no quota for {uncovered[0]}")
    return Assignment(tuple(names), use, level)


_Context = tuple[QuotaOwner, Mapping[str, Flavor], QuotaTree, Amounts]


def _of_group(pod: Pod, needed: Mapping[str, Decimal], group: ResourceGroup, context: _Context) -> Assignment:
    """The flavor of a group for some pods: the first that fits, or that with the least borrowing."""
    queue, flavors, tree, used = context
    node = Node(True, queue.name)
    goes_on = text_at(queue.item.body, "spec", "flavorFungibility", "whenCanBorrow") == _NEXT
    best, reasons = None, []
    for written in group.flavors:
        reason = mismatch(pod, flavors[written.name])
        level = 0
        for name, amount in sorted(needed.items()) if not reason else ():
            resource = (written.name, name)
            total = used.get(resource, _ZERO) + amount
            left = max(_ZERO, tree.available(node, resource))
            if total > left:
                most = tree.potential(node, resource)
                has = f"it has at most {most:f}" if total > most else f"{left:f} of {most:f} are left"
                reason = f"{amount:f} {name} requested, {has}"
                break
            level = max(level, tree.borrowing_level(node, resource, total))
        if reason:
            reasons.append(f"{written.name}: {reason}")
        elif best is None or level < best.level:
            best = Assignment((written.name,), {(written.name, name): amount for name, amount in needed.items()}, level)
            if not level or not goes_on:
                break
    return best or Assignment(waits=f"ClusterQueue {queue.name} has no flavor with enough quota ({'; '.join(reasons)})")
