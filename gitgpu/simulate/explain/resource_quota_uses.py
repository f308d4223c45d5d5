"""What each team uses of its ResourceQuotas, without Kueue: the sum over the namespaces of the team."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gitgpu.objects.objects import Objects
from gitgpu.simulate.forecast import Price, TeamUse, Verdict
from gitgpu.simulate.queue.resource_quotas import Limited, amount_of, limited_resources
from gitgpu.simulate.setup import Teams
from gitgpu.simulate.usage import sum_of
from gitgpu.simulate.workloads import Work


class _Sum(NamedTuple):
    """A quota over all namespaces, and what is used of it; None is unknown."""

    quota: int = 0
    used: int | None = 0
    exceeded: bool = False


def resource_quota_uses(
    answered: Iterable[tuple[Work, Verdict]], objects: Objects, teams: Teams, is_gpu: Callable[[str], bool]
) -> Iterator[TeamUse]:
    """Each resource that a team has a quota of. Nothing is borrowed, and a quota does not distinguish pools."""
    listed = list(answered)
    sums: dict[tuple[str, str], _Sum] = {}
    for limited in limited_resources(objects):
        _, _, space, name = limited.item.identity
        if teams.by_namespace.get(space) == name and is_gpu(limited.resource):
            before, used = sums.get((name, limited.resource), _Sum()), _used(limited)
            sums[name, limited.resource] = _Sum(
                quota=before.quota + limited.allowed,
                used=None if before.used is None or used is None else before.used + used,
                exceeded=before.exceeded or limited.is_exceeded,
            )
    for (team, resource), quota in sums.items():
        own = [verdict for work, verdict in listed if verdict.team == team and amount_of(work.pod, resource, objects)]
        price = sum_of(Price(verdict.high.price, verdict.high.maximum) for verdict in own)
        yield TeamUse(
            team=team,
            flavor="",
            resource=resource,
            quota=quota.quota,
            used=quota.used,
            borrowed=0,
            lent=0,
            price=Price(None, None) if quota.exceeded else price,
        )


def _used(limited: Limited) -> int | None:
    """What the pods that Kubernetes accepts request; None if that is not known, or depends on which come first."""
    if not limited.known:
        return None
    if not limited.is_exceeded:
        return limited.demand
    sizes = {use.size for use in limited.uses}
    return limited.allowed // sizes.pop() * limited.uses[0].size if len(sizes) == 1 else None
