"""How much of a pool a team can use with what other teams lend."""

from collections.abc import Sequence

from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.team import Team
from gitgpu.model.team_quotas import UnitQuota, quotas_on


def quotas_by_cluster(inputs: Inputs) -> dict[str, list[UnitQuota]]:
    """The quotas of all teams on each cluster."""
    return {cluster.name: list(quotas_on(inputs, cluster)) for cluster in inputs.clusters}


def same_unit(one: UnitQuota, other: UnitQuota) -> bool:
    """Whether two quotas count the same resource of the same nodes."""
    return (one.flavor, one.unit.resource) == (other.flavor, other.unit.resource)


def lendable_gpus(quota: UnitQuota) -> int:
    """How much of a quota other teams may use."""
    entry = quota.entry
    return entry.gpus if entry.lend is None else min(entry.lend, entry.gpus)


def reach(quota: UnitQuota, quotas: Sequence[UnitQuota]) -> int:
    """The most that the team of a quota can use at any time: its own, and what it may borrow of what others lend."""
    offered = sum(
        lendable_gpus(other) for other in quotas if other.team.name != quota.team.name and same_unit(quota, other)
    )
    borrowed = offered if quota.entry.borrow is None else min(quota.entry.borrow, offered)
    return quota.entry.gpus + borrowed


def usable_quotas(
    inputs: Inputs, workload: Workload, team: Team, cluster: Cluster, every: Sequence[UnitQuota]
) -> list[UnitQuota]:
    """The quotas of a team for what a workload requests of its pools on a cluster, of every quota there."""
    pools = {pool.name: pool for pool in inputs.pools_of(workload) if cluster.name in pool.clusters}
    return [
        quota
        for quota in every
        if quota.team.name == team.name
        and quota.unit.pool.name in pools
        and _requests(workload, pools[quota.unit.pool.name], quota)
    ]


def most(quotas: Sequence[UnitQuota], every: Sequence[UnitQuota], cluster: Cluster) -> int:
    """The most that one pod or gang gets: from one pool with Kueue, from all of them with a ResourceQuota."""
    if cluster.stack.queues == "none":
        return sum(quota.entry.gpus for quota in quotas)
    return max((reach(quota, every) for quota in quotas), default=0)


def units(quotas: Sequence[UnitQuota]) -> str:
    """What the quotas count: resources or DeviceClasses."""
    return " or ".join(dict.fromkeys(quota.unit.resource for quota in quotas))


def _requests(workload: Workload, pool: Pool, quota: UnitQuota) -> bool:
    mig_resource = workload.mig_resource(pool)
    return not mig_resource or mig_resource == quota.unit.resource
