"""The queues of teams: flavors from pools, and a queue for each team with its quota.

Kueue admits a pod only if its ClusterQueue covers every resource that the pod requests. Quotas are about GPUs, so CPU,
memory and what else GPU pods request are covered with an amount that limits nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, CLIQUE_LABEL, HOSTNAME_LABEL, ZONE_LABEL
from gitgpu.model.spec.taint import SPOT
from gitgpu.model.syntax.version import version
from gitgpu.model.team_quotas import Unit, UnitQuota, quotas_on
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.daemon_placement import Toleration
from gitgpu.plan.decided.queues import Amount, Flavor, Provisioning, Queues, TeamQueue
from gitgpu.plan.placement import RETIRING, nodes
from gitgpu.plan.rdma import NICS

KUEUE = "kueue"
CONFIGURATION = "controllerManagerConfigYaml"  # the value of its chart below managerConfig
CHECK = "gpu-nodes"  # the admission check of pools of the cluster autoscaler
COHORT_OF_TEAMS = "gpu-teams"
_BESIDE_GPUS = ("cpu", "ephemeral-storage", "memory")


def queues(inputs: Inputs, pools: Sequence[PoolPlan], cluster: Cluster) -> Queues:
    """The queues of a cluster, with the versions that it pins."""
    by, catalog = cluster.stack.queues, inputs.catalog
    quotas = list(quotas_on(inputs, cluster))
    own = {quota.unit.flavor: quota.unit for quota in quotas if not quota.entry.flavor}
    plans = {pool.name: pool for pool in pools}
    near = _placed_by_topology(quotas, plans)
    flavors = tuple(_flavor(unit, plans[unit.pool.name], near) for _, unit in sorted(own.items()))
    used = {quota.unit.pool.name for quota in quotas}
    scaled = {pool.name for pool in pools if pool.node_pool and not pool.node_pool.is_fixed}
    provisioning = _provisioning(quotas, scaled, cluster, catalog) if by != "none" else None
    claimed = tuple(sorted({quota.unit.resource for quota in quotas if quota.unit.claimed}))
    fair = any(quota.team.fair_share is not None for quota in quotas)
    return Queues(
        by=by,
        chart=chart(KUEUE, catalog) if by == KUEUE else None,
        flavors=flavors if by != "none" else (),
        topologies={name: _levels(plans[name]) for name in sorted(near)} if by != "none" else {},
        teams=tuple(_teams(quotas, scaled if provisioning else ())),
        provisioning=provisioning,
        others=tuple(sorted({*_BESIDE_GPUS, *_nics(pools, used)})),
        claimed=claimed,
        configuration=_configuration(catalog) if by == KUEUE and (claimed or fair) else {},
        fair=fair,
    )


def queue_of(inputs: Inputs, workload: Workload | Model, cluster: Cluster) -> str:
    """The LocalQueue of a workload on a cluster; "" without Kueue or a team that has a quota there."""
    team = inputs.team_of(workload, cluster) if cluster.stack.queues != "none" else None
    return team.name if team else ""


def priority_of(inputs: Inputs, workload: Workload | Model, cluster: Cluster) -> str:
    """The priority class of a workload on a cluster: one of its team, or else one that exists there; or ""."""
    team = inputs.team_of(workload, cluster)
    if not workload.priority or not team:
        return ""
    return f"{team.name}-{workload.priority}" if workload.priority in team.priorities else workload.priority


def _flavor(unit: Unit, planned: PoolPlan, near: Collection[str]) -> Flavor:
    [placed] = nodes([planned])
    labels = {placed.label: placed.values[0]}
    if unit.capacity:  # only Karpenter's pools have both
        labels[CAPACITY_TYPE_LABEL] = unit.capacity
    taints = set(planned.taints) - ({SPOT} if unit.capacity == "on-demand" else set())
    return Flavor(
        name=unit.flavor,
        labels=labels,
        taints=tuple(sorted(taints)),
        tolerations=tuple(sorted(Toleration(*taint) for taint in taints - {RETIRING})),
        topology=planned.name if planned.name in near else "",
        origin=planned.pool.origin.mark,
    )


def _placed_by_topology(quotas: Sequence[UnitQuota], plans: Mapping[str, PoolPlan]) -> frozenset[str]:
    """The pools on which Kueue places workloads by topology: those of teams that have no other pools.

    In a queue that also has flavors without a topology, a workload gets one with a topology only if its pods have an
    annotation: checkPodSetAndFlavorMatchForTAS in kubernetes-sigs/kueue at ff69552e79ad.
    """
    pools = {quota.unit.pool.name for quota in quotas if _has_topology(plans[quota.unit.pool.name])}
    while True:
        mixed = {quota.team.name for quota in quotas if quota.entry.flavor or quota.unit.pool.name not in pools}
        shared = {quota.unit.pool.name for quota in quotas if quota.team.name in mixed}
        if not pools & shared:
            return frozenset(pools)
        pools -= shared


def _has_topology(planned: PoolPlan) -> bool:
    """Whether a topology is of use on a pool: it has a fast network between nodes.

    It counts the nodes that are there, so it would admit nothing to a pool that Karpenter scales from zero.
    """
    return planned.node_pool is not None and (planned.pool.rdma is not None or _has_cliques(planned))


def _has_cliques(planned: PoolPlan) -> bool:
    """Whether NVLink connects its nodes, which GPU Feature Discovery of the GPU Operator labels."""
    return planned.driver == "operator" and all(sku.gpu and sku.gpu.multi_node_nvlink for sku in planned.pool.skus)


def _levels(planned: PoolPlan) -> tuple[str, ...]:
    return (ZONE_LABEL, *((CLIQUE_LABEL,) if _has_cliques(planned) else ()), HOSTNAME_LABEL)


def _configuration(catalog: Catalog) -> Mapping[str, Any]:
    """The default configuration of Kueue, which its chart has as a text."""
    [parsed], _ = parse(Text(KUEUE, catalog.must("charts", KUEUE)["defaults"]["managerConfig"][CONFIGURATION], KUEUE))
    configuration: Mapping[str, Any] = parsed.data
    return configuration


def _nics(pools: Iterable[PoolPlan], used: Iterable[str]) -> set[str]:
    """The resources of InfiniBand NICs that pods of these pools request by count."""
    return {NICS[pool.pool.rdma] for pool in pools if pool.name in used and pool.pool.rdma in NICS}


def _provisioning(
    quotas: Sequence[UnitQuota], scaled: Collection[str], cluster: Cluster, catalog: Catalog
) -> Provisioning | None:
    """How the cluster autoscaler is asked for nodes; None without a pool that it scales, or if AKS cannot yet."""
    row = catalog.must("pools", "aks")["provisioningRequest"]
    resources = sorted({quota.unit.resource for quota in quotas if quota.unit.pool.name in scaled})
    if not resources or version(cluster.kubernetes)[:2] < version(row["since"])[:2]:
        return None
    return Provisioning(row["class"], tuple(resources))


def _teams(quotas: Iterable[UnitQuota], scaled: Collection[str]) -> Iterator[TeamQueue]:
    by_team: dict[str, list[UnitQuota]] = {}
    for quota in quotas:
        by_team.setdefault(quota.team.name, []).append(quota)
    for own in by_team.values():
        amounts: dict[str, dict[str, Amount]] = {}
        for quota in own:
            entry = quota.entry
            amounts.setdefault(quota.flavor, {})[quota.unit.resource] = Amount(entry.gpus, entry.borrow, entry.lend)
        provisioned = dict.fromkeys(quota.flavor for quota in own if quota.unit.pool.name in scaled)
        yield TeamQueue(own[0].team, amounts, tuple(provisioned))
