"""What each team uses of its quotas: a team is a ClusterQueue, whose name is that of its GpuTeam."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal

from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.queued import submissions
from gitgpu.objects.queues.quotas import Quota, QuotaOwner, cluster_queues
from gitgpu.schedule.quota_tree import FlavorResource, Limits, Node, QuotaTree
from gitgpu.simulate.forecast import Price, TeamUse, Verdict
from gitgpu.simulate.queue.admission import admissions
from gitgpu.simulate.workloads import Work

_ZERO = Decimal(0)
_NOTHING = Price(0.0, 0.0)
_UNKNOWN = Price(None, None)


def team_uses(
    answered: Iterable[tuple[Work, Verdict]], objects: Objects, is_gpu: Callable[[str], bool]
) -> Iterator[TeamUse]:
    """Each quota of GPUs, in the order of the queues, if what Kueue admits is known of at least one workload."""
    made = admissions(objects)
    if not made.outcomes:
        return
    unknown = {each.queue.name for each in submissions(objects) if id(each.queued.item.body) not in made.outcomes}
    costs = _costs(answered, is_gpu)
    for queue in cluster_queues(objects).values():
        for flavor in queue.flavors:
            for quota in (quota for quota in flavor.quotas if is_gpu(quota.resource) and not _is_nothing(quota)):
                key = (flavor.name, quota.resource)
                use = made.tree.usage(Node(True, queue.name), key)
                known = queue.name not in unknown
                yield TeamUse(
                    team=queue.name,
                    flavor=flavor.name,
                    resource=quota.resource,
                    quota=int(quota.nominal),
                    used=int(use) if known else None,
                    borrowed=int(max(_ZERO, use - quota.nominal)) if known else None,
                    lent=None if unknown else _lent(queue, key, made.tree, objects),
                    price=costs.get((queue.name, *key), _NOTHING) if known else _UNKNOWN,
                )


def _is_nothing(quota: Quota) -> bool:
    """Whether a queue can have nothing of a resource: Kueue requires an entry for each, also if no node has it."""
    return not quota.nominal and quota.borrowing == 0


def _costs(
    answered: Iterable[tuple[Work, Verdict]], is_gpu: Callable[[str], bool]
) -> Mapping[tuple[str, str, str], Price]:
    """The part of the price of the nodes, by queue, flavor and resource; unknown if pods have several flavors."""
    costs: dict[tuple[str, str, str], Price] = {}
    for work, verdict in answered:
        if work.queued is None:
            continue
        own = Price(verdict.high.price, verdict.high.maximum) if len(work.queued.flavors) == 1 else _UNKNOWN
        for flavor in work.queued.flavors:
            for resource in filter(is_gpu, work.pod.requests()):
                key = (work.queued.queue, flavor, resource)
                costs[key] = _sum(costs.get(key, _NOTHING), own)
    return costs


def _sum(first: Price, second: Price) -> Price:
    return Price(_plus(first.exact, second.exact), _plus(first.maximum, second.maximum))


def _plus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else round(first + second, 4)


def _lent(queue: QuotaOwner, key: FlavorResource, tree: QuotaTree, objects: Objects) -> int | None:
    """How much other queues use of its quota; None if several queues or a cohort may be the lender."""
    node = Node(True, queue.name)
    root = tree.root(node)
    queues = (Node(True, name) for name in cluster_queues(objects))
    family = [member for member in queues if tree.root(member) == root]
    above = (tree.usage(member, key) - _limits(member, key, tree).nominal for member in family)
    borrowed = sum((amount for amount in above if amount > 0), _ZERO)
    if not borrowed:
        return 0
    free = {member: _free(member, key, tree) for member in family}
    by_cohorts = any(not other.is_queue and key in limits for other, limits in tree.limits.items())
    lenders = [member for member in family if free[member]]
    if by_cohorts or not (len(lenders) == 1 or sum(free.values(), _ZERO) == borrowed):
        return None if free.get(node) else 0
    return int(min(borrowed, free.get(node, _ZERO)))


def _free(node: Node, key: FlavorResource, tree: QuotaTree) -> Decimal:
    """What a queue does not use of its quota, and lends."""
    limits = _limits(node, key, tree)
    unused = max(_ZERO, limits.nominal - tree.usage(node, key))
    return unused if limits.lending is None else min(unused, limits.lending)


def _limits(node: Node, key: FlavorResource, tree: QuotaTree) -> Limits:
    return tree.limits.get(node, {}).get(key, Limits())
