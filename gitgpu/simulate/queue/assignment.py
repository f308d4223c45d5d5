"""The flavors that Kueue gives to the pods of a workload, as far as quota is left: without preemption.

As findFlavorForPodSets in pkg/scheduler/flavorassigner/flavorassigner.go of kubernetes-sigs/kueue at 8eab68778fc1.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import text_at
from gitgpu.objects.queues.flavors import Flavor
from gitgpu.objects.queues.matching import mismatch, topology_mismatch
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


class Start(NamedTuple):
    """Where the search for flavors begins: by the numbers of a pod set and of a resource group. By default, at 0."""

    flavors: tuple[tuple[tuple[int, int], int], ...] = ()

    def of(self, pod_set: int, group: int) -> int:
        """The number of the first flavor."""
        return dict(self.flavors).get((pod_set, group), 0)


FROM_FIRST = Start()


class Assignment(NamedTuple):
    """The flavors of the pod sets, what they use and how far up they borrow; or what the workload waits for.

    `use` of a workload that waits is what it could have if others gave back what they borrow. `later` is where the
    search goes on if the workload is not admitted.
    """

    flavors: tuple[str, ...] = ()
    use: Mapping[tuple[str, str], Decimal] = {}
    level: int = 0
    waits: str = ""
    later: Start = FROM_FIRST


def assign(
    sets: tuple[PodSet, ...],
    queue: QuotaOwner,
    flavors: Mapping[str, Flavor],
    tree: QuotaTree,
    start: Start = FROM_FIRST,
) -> Assignment:
    """The assignment of a workload in a queue."""
    use: Amounts = {}
    names: dict[str, None] = {}
    later: dict[tuple[int, int], int] = {}
    level, waits = 0, ""
    for number, pod_set in enumerate(sets):
        for place, group in enumerate(queue.groups):
            needed = {
                name: amount * pod_set.number for name, amount in pod_set.requests.items() if name in group.covered
            }
            if not needed:
                continue
            chosen = _choose_flavor(pod_set.pod, needed, group, (queue, flavors, tree, use), start.of(number, place))
            waits = waits or chosen.waits
            if not chosen.use:
                return Assignment(waits=waits, later=_start({key: at for key, at in later.items() if key[0] < number}))
            level = max(level, chosen.level)
            names.update(dict.fromkeys(chosen.flavors))
            later[number, place] = chosen.next
            for resource, amount in chosen.use.items():
                use[resource] = use.get(resource, _ZERO) + amount
        uncovered_names = sorted(name for name in pod_set.requests if queue.group_of(name) is None)
        if uncovered_names:
            return Assignment(waits=f"ClusterQueue {queue.name} has no quota for {uncovered_names[0]}")
    return Assignment(tuple(names), use, level, waits, _start(later))


_Context = tuple[QuotaOwner, Mapping[str, Flavor], QuotaTree, Amounts]


class _Chosen(NamedTuple):
    """The flavor of a group with its use and level, or without: then, what is waited for. `next` goes on from there."""

    flavors: tuple[str, ...] = ()
    use: Mapping[tuple[str, str], Decimal] = {}
    level: int = 0
    waits: str = ""
    next: int = 0


class _Fit(NamedTuple):
    """Whether a flavor has the quota, now or if others give back what they borrow, and how far up it is."""

    now: bool
    then: bool
    level: int
    reason: str = ""


def _start(later: Mapping[tuple[int, int], int]) -> Start:
    return Start(tuple((key, at) for key, at in later.items() if at))


def _choose_flavor(
    pod: Pod, needed: Mapping[str, Decimal], group: ResourceGroup, context: _Context, start: int
) -> _Chosen:
    """The flavor of a group for some pods: the first that fits, or that with the least borrowing."""
    queue, flavors, _, _ = context
    goes_on = text_at(queue.item.body, "spec", "flavorFungibility", "whenCanBorrow") == _NEXT
    best: tuple[_Fit, str] | None = None
    reasons = []
    at = start
    for at in range(start, len(group.flavors)):
        name = group.flavors[at].name
        reason = mismatch(pod, flavors[name]) or topology_mismatch(pod, flavors[name], queue, flavors)
        fit = _Fit(False, False, 0, reason) if reason else _fit(needed, name, context)
        if fit.reason:
            reasons.append(f"{name}: {fit.reason}")
        if fit.then and (best is None or (not fit.now, fit.level) < (not best[0].now, best[0].level)):
            best = fit, name
        if fit.now and not (fit.level and goes_on):
            break
    waits = f"ClusterQueue {queue.name} has no flavor with enough quota ({'; '.join(reasons)})"
    if best is None:
        return _Chosen(waits=waits)
    fit, name = best
    following = 0 if at >= len(group.flavors) - 1 else at + 1
    use = {(name, resource): amount for resource, amount in needed.items()}
    return _Chosen((name,), use, fit.level, "" if fit.now else waits, following)


def _fit(needed: Mapping[str, Decimal], flavor: str, context: _Context) -> _Fit:
    """Whether a flavor has the quota for all resources: fitsResourceQuota without anything to preempt."""
    queue, _, tree, used = context
    node = Node(True, queue.name)
    found = _Fit(True, True, 0)
    for name, amount in sorted(needed.items()):
        resource = (flavor, name)
        total = used.get(resource, _ZERO) + amount
        left = max(_ZERO, tree.available(node, resource))
        level, is_part = tree.lowest_subtree(node, resource, total)
        reason = found.reason
        if total > left:
            most = tree.potential(node, resource)
            has = f"it has at most {most:f}" if total > most else f"{left:f} of {most:f} are left"
            reason = reason or f"{amount:f} {name} requested, {has}"
            if total > most or not (is_part or tree.nominal(node, resource) >= total):
                return _Fit(False, False, 0, reason)
        found = _Fit(found.now and total <= left, True, max(found.level, level), reason)
    return found
