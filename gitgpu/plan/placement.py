"""Taints and tolerations: everything that must reach a node tolerates exactly what it meets there."""

from collections.abc import Iterable

from gitgpu.model.fleet import SPOT, Pool, Taint
from gitgpu.plan.decision import PoolPlan
from gitgpu.plan.reach import Reach, Toleration


def taints(pool: Pool) -> tuple[Taint, ...]:
    """The taints of the pool's nodes. Only a pool of spot nodes alone carries the spot taint: Karpenter adds none."""
    return tuple(sorted({*pool.taints, *((SPOT,) if pool.only_spot else ())}))


def tolerations(pools: Iterable[PoolPlan]) -> tuple[Toleration, ...]:
    """What a pod must tolerate to run on any of these pools, start-up taints left out.

    Pools that may hold spot nodes bring the spot toleration: AKS taints spot nodes in node pools of its own.
    """
    met: set[Taint] = set()
    for one in pools:
        met |= {*one.taints, *((SPOT,) if "spot" in one.pool.capacity else ())}
    return tuple(sorted(Toleration(*taint) for taint in met))


def reach(pools: Iterable[PoolPlan]) -> Reach:
    """The nodes of these pools, for a DaemonSet, which must also run while start-up taints are there."""
    found = tuple(pools)
    early = {Toleration(*taint) for one in found for taint in one.pool.startup_taints}
    return Reach(tuple(sorted(one.name for one in found)), tuple(sorted({*tolerations(found), *early})))
