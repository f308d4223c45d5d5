"""The profile of AKS's scheduler that fills GPU nodes one after another."""

from collections.abc import Sequence

from gitgpu.model.fleet import Cluster
from gitgpu.plan.decided.cluster import PoolPlan

BINPACK = "gpu-binpack"  # the name of the profile, which pods select as their schedulerName


def packed_resources(pools: Sequence[PoolPlan], cluster: Cluster) -> tuple[str, ...]:
    """The resources of the pools, which the profile uses to score nodes; () without a profile.

    Claimed devices do not count as resources of a node, so the profile cannot score them.
    """
    if not cluster.binpack:
        return ()
    resources: set[str] = set()
    for planned in pools:
        if not planned.claimed:
            resources.update(planned.pool.mig.resources if planned.pool.mig else (planned.resource,))
    return tuple(sorted(resources))
