"""Pools that leave the fleet before they have retired: a build does not write that unless it is asked to."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from gitgpu.cli.lock_versions import lock
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import azure_name
from gitgpu.plan.placement import AGENT_POOL, NODE_POOL
from gitgpu.source import Span
from gitgpu.write.lock import Lock, Scope
from gitgpu.write.recorded_pools import Pools, RecordedPool, removed_pools

KINDS = {"nodepool": NODE_POOL, "managedclustersagentpool": AGENT_POOL}


def pools_by_cluster(inputs: Inputs, clusters: Sequence[str]) -> dict[str, dict[str, RecordedPool]]:
    """The pools of these clusters, as the lock keeps them."""
    found = (cluster for cluster in inputs.clusters if cluster.name in clusters)
    return {cluster.name: {pool.name: _held(pool) for pool in inputs.pools_on(cluster)} for cluster in found}


def _held(pool: Pool) -> RecordedPool:
    label = f"{NODE_POOL}={pool.name}" if pool.by_karpenter else f"{AGENT_POOL}={azure_name(pool)}"
    return RecordedPool(label, pool.retire)


def unretired(out: str, new: Lock, scope: Scope, allowed: Sequence[str]) -> Iterator[Diagnostic]:
    """A fault for each pool of the overlays in place that the build would drop; `allowed` are globs of those that may.

    Where a whole cluster leaves it is a warning: nothing stops on its nodes. A lock that cannot be read yields nothing:
    the write that follows reports it.
    """
    old = lock(out)
    if isinstance(old, Lock):
        holds = scope.holds
        for cluster, pool, was in removed_pools(_pools(old, new.pools), new.pools, lambda name: holds(f"{name}/")):
            from gitgpu.report.planned import names  # noqa: PLC0415  all of compare, and few builds remove a pool

            if not any(names(cluster, pool, glob) for glob in allowed):
                fault = _fault if cluster in scope.known else _abandoned
                yield fault(Span(_place(out, old, cluster, pool), 0, 0), cluster, pool, was)


def _pools(old: Lock, now: Pools) -> Mapping[str, Mapping[str, RecordedPool]]:
    """The pools of the lock. A lock of an older gitgpu has none: there they are read from the names of its files."""
    found: dict[str, dict[str, RecordedPool]] = {name: dict(there) for name, there in old.pools.items()}
    for path in (PurePosixPath(path) for path in old.files):
        cluster, (kind, _, pool) = path.parts[0], path.stem.partition("-")
        if kind in KINDS and path.parts[1:2] == ("nodes",) and cluster not in old.pools:
            there = now.get(cluster, {}).get(pool)
            label = there.nodes if there and there.nodes.startswith(KINDS[kind]) else f"{KINDS[kind]}={pool}"
            found.setdefault(cluster, {})[pool] = RecordedPool(label, retires=False)
    return found


def _place(out: str, old: Lock, cluster: str, pool: str) -> str:
    files = (f"{cluster}/nodes/{kind}-{pool}.yaml" for kind in KINDS)
    return f"{out}/{next((path for path in files if path in old.files), cluster)}"


def _fault(span: Span, cluster: str, pool: str, was: RecordedPool) -> Diagnostic:
    nodes = f"nodes with {was.nodes} may still run and would lose their device plugin, driver and metrics"
    message = f"pool {pool} is removed from {cluster} without being retired: {nodes}"
    remedy = (
        "set retire: true on the pool, and remove it when its nodes are gone; "
        f"or build with --allow-removal '{cluster}/{pool}' (gitgpu plan shows the effects)"
    )
    return Diagnostic("OUT007", Severity.ERROR, message, remedy, span)


def _abandoned(span: Span, cluster: str, pool: str, was: RecordedPool) -> Diagnostic:
    """The engine finds no folder to apply: it reports that, and deletes nothing."""
    nodes = f"nodes with {was.nodes} stay, and the pool can still scale up"
    message = f"cluster {cluster} is removed from the fleet, but its pool {pool} is not retired: {nodes}"
    remedy = (
        "set retire: true on its pools first, and remove the cluster when their nodes are gone; "
        f"or build with --allow-removal '{cluster}/{pool}'"
    )
    return Diagnostic("OUT007", Severity.WARNING, message, remedy, span)
