"""The guard of a cluster: the namespaces, pools and amounts that its admission policies compare pods with."""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import resource as mig_resource
from gitgpu.model.names.labels import LEGACY_AGENTPOOL_LABEL
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.team_quotas import device_class, quotas_on
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.guard import Guard, GuardedPool
from gitgpu.plan.placement import RETIRING, nodes


def guard(inputs: Inputs, pools: Sequence[PoolPlan], cluster: Cluster) -> Guard | None:
    """The guard of a cluster; None if it has none, or no pools."""
    if cluster.stack.guard == "none" or not pools:
        return None
    teams = {name: team.name for team in inputs.teams_on(cluster) for name in team.namespaces}
    by_pool: dict[str, set[str]] = {}
    for quota in quotas_on(inputs, cluster):
        by_pool.setdefault(quota.unit.pool.name, set()).add(quota.team.name)
    return Guard(
        action=cluster.stack.guard,
        teams=dict(sorted(teams.items())),
        pools=tuple(_pool(pool, tuple(sorted(by_pool.get(pool.name, ()))), inputs.catalog) for pool in pools),
        queued=cluster.stack.queues != "none",
    )


def _pool(planned: PoolPlan, teams: tuple[str, ...], catalog: Catalog) -> GuardedPool:
    [placed] = nodes([planned])
    amounts: dict[str, int] = {}
    for name, amount in () if planned.claimed else _amounts(planned):
        amounts[name] = max(amounts.get(name, 0), amount)
    devices = {device_class(catalog): max(sku.gpus or 1 for sku in planned.pool.skus)} if planned.claimed else {}
    taints = tuple(taint for taint in planned.taints if taint != RETIRING)
    labels = (placed.label, LEGACY_AGENTPOOL_LABEL) if planned.node_pool else (placed.label,)
    return GuardedPool(planned.name, labels, placed.values[0], taints, amounts, teams, devices)


def _amounts(planned: PoolPlan) -> Iterator[tuple[str, int]]:
    """What a node of each size of the pool advertises."""
    pool = planned.pool
    for sku in pool.skus:
        gpus = sku.gpus or 1
        if pool.mig and not pool.mig.single:
            profiles = {name for layout in pool.mig.layouts for name in layout}
            yield from ((mig_resource(name), pool.mig.count_instances(gpus, name)) for name in profiles)
            whole = pool.mig.count_instances(gpus, "")
            if whole:
                yield NVIDIA_GPU, whole
        else:
            yield pool.resource(sku), gpus * pool.shares
