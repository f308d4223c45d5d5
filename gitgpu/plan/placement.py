"""Taints, tolerations, and the nodes of DaemonSets: by the names of pools, or by labels that the nodes have already."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from gitgpu.model.fleet import Pool
from gitgpu.model.names.labels import AGENTPOOL_LABEL, MANAGED_GPU_LABEL, NODEPOOL_LABEL
from gitgpu.model.spec.stack import Stack
from gitgpu.model.spec.taint import SPOT, Taint
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement, Toleration
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.driver import OPT_OUT

# NoSchedule instead of NoExecute: running pods stay until they end.
RETIRING = Taint("gitgpu.dev/retiring", "true", "NoSchedule")
EVERY_TAINT = (Toleration("", "", ""),)
[OPTED_OUT] = (Nodes(label, (value,)) for label, value in OPT_OUT.items())


def taints(pool: Pool) -> tuple[Taint, ...]:
    """The taints of the pool's nodes. It has the spot taint only if all nodes are spot: Karpenter adds none."""
    all_taints = set(pool.taints)
    if pool.has_spot_taint:
        all_taints.add(SPOT)
    # AKS adds a new taint to existing nodes. Karpenter compares its nodes by the taints of their NodePool, and would
    # replace all of them at once.
    if pool.retire and not pool.by_karpenter:
        all_taints.add(RETIRING)
    return tuple(sorted(all_taints))


def tolerations(pools: Iterable[PoolPlan]) -> tuple[Toleration, ...]:
    """What a pod must tolerate to run on any of these pools, without start-up taints and that of retirement."""
    met: set[Taint] = set()
    for pool in pools:
        met.update(pool.taints)
        if "spot" in pool.pool.capacity:  # AKS taints spot nodes in its own node pools
            met.add(SPOT)
    return tuple(sorted(Toleration(*taint) for taint in met - {RETIRING}))


def daemon_placement(pools: Iterable[PoolPlan]) -> DaemonPlacement:
    """The nodes of these pools for a DaemonSet, which must also run on nodes that start and on nodes that retire."""
    all_pools = tuple(pools)
    early: set[Toleration] = set()
    for pool in all_pools:
        early.update(Toleration(*taint) for taint in (*pool.pool.startup_taints, *pool.taints))
    return DaemonPlacement(nodes(all_pools), tuple(sorted({*tolerations(all_pools), *early})))


def labelled_nodes(*within: Nodes, without: Iterable[Nodes] = ()) -> Nodes:
    """The nodes with the label that keeps the GPU Operator away, without those whose GPUs AKS manages.

    AKS labels the latter before the kubelet starts, so a further pool of them changes nothing here: see
    configureManagedGPUExperience in
    https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh
    """
    managed = Nodes(MANAGED_GPU_LABEL, ("enabled",))
    return OPTED_OUT._replace(without=(managed, *without), within=within)


def placements(wanted: Sequence[PoolPlan], every: Iterable[PoolPlan], *terms: Nodes) -> Iterator[DaemonPlacement]:
    """One for the pools among `wanted` whose nodes one of the terms selects by labels, and one for each other pool.

    So another pool changes none of them. Of `every` pool of the cluster, those that a term selects but that are not
    wanted are excluded by name. The pods tolerate all taints, as further pools may have others.
    """
    names = {pool.name for pool in wanted}
    other_pools = [pool for pool in every if pool.name not in names]
    if any(_selects(term, pool) for term in terms for pool in wanted):
        yield DaemonPlacement(tuple(_excluding(term, other_pools) for term in terms), EVERY_TAINT)
    label = terms[0]._replace(without=(), within=())
    for pool in wanted:
        if not any(_selects(term, pool) for term in terms):
            # Nodes that still have the label from before the pool lost it are those of the first one.
            yield placement_of(pool, *(() if _has(label, pool) else (label,)))


def placement_of(pool: PoolPlan, *without: Nodes) -> DaemonPlacement:
    """The nodes of one pool, without some of them."""
    [by_name] = nodes([pool])
    return DaemonPlacement((by_name._replace(without=without),), EVERY_TAINT, pool.name)


def _excluding(term: Nodes, pools: Iterable[PoolPlan]) -> Nodes:
    excluded = nodes(pool for pool in pools if _selects(term, pool))
    return term._replace(without=(*term.without, *excluded))


def join(parts: Iterable[DaemonPlacement]) -> DaemonPlacement:
    """The nodes of all of them, for a chart that has only one DaemonSet."""
    return DaemonPlacement(tuple(chain.from_iterable(part.pools for part in parts)), EVERY_TAINT)


def _selects(by_label: Nodes, pool: PoolPlan) -> bool:
    """Whether the labels select the pool's nodes. Those that AKS manages have a label of AKS that excludes them."""
    if pool.driver == "managed":
        return False
    wanted = all(_has(nodes, pool) for nodes in (by_label, *by_label.within))
    return wanted and not any(_has(nodes, pool) for nodes in by_label.without)


def _has(nodes: Nodes, pool: PoolPlan) -> bool:
    return nodes.label in pool.labels and (not nodes.values or pool.labels[nodes.label] in nodes.values)


def separate_placements(pools: Sequence[PoolPlan], stack: Stack) -> tuple[DaemonPlacement, ...]:
    """The nodes of the pools for software that needs a label of no node: with `labels`, one for each pool.

    So another pool changes none of them, and none is on nodes outside the fleet.
    """
    return tuple(map(placement_of, pools)) if stack.node_selection == "labels" else (daemon_placement(pools),)


def nodes(pools: Iterable[PoolPlan]) -> tuple[Nodes, ...]:
    """The nodes of these pools of one cluster, by the label that Karpenter or, for node pools, AKS sets."""
    by_label: dict[str, list[str]] = {}
    for pool in pools:
        if pool.node_pool:
            by_label.setdefault(AGENTPOOL_LABEL, []).append(pool.node_pool.name)
        else:
            by_label.setdefault(NODEPOOL_LABEL, []).append(pool.name)
    return tuple(Nodes(label, tuple(sorted(names))) for label, names in sorted(by_label.items()))
