"""Taints and tolerations: a pod that must run on a node tolerates exactly the taints there."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.model.fleet import Pool
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.model.spec.stack import Stack
from gitgpu.model.spec.taint import SPOT, Taint
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement, Toleration
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.driver import OPT_OUT

# NoSchedule instead of NoExecute: running pods stay until they end.
RETIRING = Taint("gitgpu.dev/retiring", "true", "NoSchedule")
EVERY_TAINT = (Toleration("", "", ""),)


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


def labelled_placement(
    wanted: Sequence[PoolPlan], label: str, every: Iterable[PoolPlan], stack: Stack
) -> DaemonPlacement:
    """The nodes of pools that share a label, as the stack says: by the names of the pools or by the label."""
    return _by_label(wanted, label, every) if stack.node_selection == "labels" else daemon_placement(wanted)


def _by_label(wanted: Sequence[PoolPlan], label: str, every: Iterable[PoolPlan]) -> DaemonPlacement:
    """The nodes of these pools by a label that their nodes have, for a DaemonSet that a further pool does not change.

    Pools without the label are selected by name. Those of `every` pool of the cluster that have it, but no such pods,
    are excluded by name. The pods tolerate all taints, as further pools may have others.
    """
    of_new_pools = {OPT_OUT[label]} if label in OPT_OUT else set()
    values = tuple(sorted(of_new_pools | {pool.labels[label] for pool in wanted if label in pool.labels}))
    names = {pool.name for pool in wanted}
    other_pools = [pool for pool in every if pool.name not in names and pool.labels.get(label) in values]
    labelled = (Nodes(label, values, nodes(other_pools)),) if values else ()
    unlabelled_pools = [pool for pool in wanted if label not in pool.labels]
    return DaemonPlacement((*labelled, *nodes(unlabelled_pools)), (Toleration("", "", ""),))


def placements_by_pool(pools: Iterable[PoolPlan]) -> Iterator[DaemonPlacement]:
    """One for the nodes of each pool, for software whose nodes have no label in common."""
    for pool in pools:
        yield DaemonPlacement(nodes([pool]), EVERY_TAINT, pool.name)


def separate_placements(pools: Sequence[PoolPlan], stack: Stack) -> tuple[DaemonPlacement, ...]:
    """The nodes of the pools for software that needs a label of no node: with `labels`, one for each pool.

    So another pool changes none of them, and none is on nodes outside the fleet.
    """
    return tuple(placements_by_pool(pools)) if stack.node_selection == "labels" else (daemon_placement(pools),)


def nodes(pools: Iterable[PoolPlan]) -> tuple[Nodes, ...]:
    """The nodes of these pools of one cluster, by the label that Karpenter or, for node pools, AKS sets."""
    by_label: dict[str, list[str]] = {}
    for pool in pools:
        if pool.node_pool:
            by_label.setdefault(AGENTPOOL_LABEL, []).append(pool.node_pool.name)
        else:
            by_label.setdefault(NODEPOOL_LABEL, []).append(pool.name)
    return tuple(Nodes(label, tuple(sorted(names))) for label, names in sorted(by_label.items()))
