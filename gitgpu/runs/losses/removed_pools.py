"""Pools that are removed from the fleet before they are retired: a build refuses this without --allow-removal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.generated import INDEX
from gitgpu.load.git_state import checkout, committed_files, merged_revisions
from gitgpu.load.read import is_file
from gitgpu.source import Span
from gitgpu.write.cluster_record import ClusterRecord, RecordedPool, pools_without, read_record
from gitgpu.write.scope import Scope

Records: TypeAlias = Mapping[str, ClusterRecord]
KINDS = ("nodepool", "managedclustersagentpool")  # as names of files in overlays begin


class _RemovedPool(NamedTuple):
    """A pool that a build would remove, and its record in the overlays."""

    cluster: str
    name: str
    recorded: RecordedPool


def removed_pools(
    out: str, records: Records, new: Records, scope: Scope, allowed: Sequence[str]
) -> Iterator[Diagnostic]:
    """A fault for each pool in the existing overlays that the build would remove. Globs in `allowed` are exceptions.

    `records` are those of the existing overlays.
    """
    removed: list[_RemovedPool] = []
    for cluster, record in sorted(records.items()):
        if scope.holds(cluster):
            pools = (_RemovedPool(cluster, *pool) for pool in pools_without(record, new.get(cluster)))
            removed += [pool for pool in pools if not is_named(cluster, pool.name, allowed)]
    merged = _missing_on_a_side(out, records, removed)
    for pool in removed:
        span = Span(pool_file(out, pool.cluster, pool.name))
        if pool.cluster not in scope.all_clusters:  # the whole cluster is removed, so nothing stops on its nodes
            yield _cluster_fault(span, pool)
        else:
            # Git merges branches, and one of them does not have the pool: it was removed there, or not added yet.
            moves = pool.name in new[pool.cluster].pools
            yield _merge_fault(span, pool) if pool in merged else _fault(span, pool, moves=moves)


def _missing_on_a_side(out: str, clusters: Iterable[str], removed: Sequence[_RemovedPool]) -> list[_RemovedPool]:
    """The removed pools that one of the merged branches does not contain, although it has overlays."""
    work_tree = checkout(out) if removed else None
    if work_tree is None:
        return []
    paths = [f"{cluster}/{INDEX}" for cluster in clusters]
    missing = []
    for revision in merged_revisions(work_tree):
        indexes = committed_files(work_tree, paths, revision)
        for pool in removed if indexes else ():
            record = read_record(indexes.get(f"{pool.cluster}/{INDEX}", b"").decode("utf-8", "replace"))
            missing += [] if record and pool.name in record.pools else [pool]
    return missing


def is_named(cluster: str, pool: str, globs: Sequence[str]) -> bool:
    """Whether one of the globs is about the pool."""
    from gitgpu.report.comparison.planned import matches_pool  # noqa: PLC0415  all of compare, and few builds remove a pool

    return any(matches_pool(cluster, pool, glob) for glob in globs)


def pool_file(out: str, cluster: str, pool: str) -> str:
    """The path of a pool in the overlays, or that of its cluster."""
    files = (f"{out}/{cluster}/nodes/{kind}-{pool}.yaml" for kind in KINDS)
    return next(filter(is_file, files), f"{out}/{cluster}")


def _nodes(pool: _RemovedPool) -> str:
    return " or ".join(pool.recorded.nodes)


def _fault(span: Span, pool: _RemovedPool, *, moves: bool) -> Diagnostic:
    """The fault of a removed pool. If it `moves`, another provisioner gives the cluster another pool with its name."""
    cluster, name, _ = pool
    nodes = f"nodes with {_nodes(pool)} may still run and can lose their device plugin, driver and metrics"
    why = "gets a different provisioner on" if moves else "is removed from"
    message = f"pool {name} {why} {cluster} without being retired: {nodes}"
    keep = (
        "keep its provisioner, add a pool with a different name and the new provisioner, set retire: true on this one"
    )
    remedy = (
        f"{keep if moves else 'set retire: true on the pool'}, and remove it when its nodes are gone; "
        f"or build with --allow-removal '{cluster}/{name}' (gitgpu plan shows the effects)"
    )
    return Diagnostic("OUT007", Severity.ERROR, message, remedy, span)


def _merge_fault(span: Span, pool: _RemovedPool) -> Diagnostic:
    cluster, name, _ = pool
    nodes = f"nodes with {_nodes(pool)} that still run lose their device plugin, driver and metrics"
    message = f"pool {name}, which exists in only one of the merged branches, is removed from {cluster}: {nodes}"
    remedy = (
        "if the pool has nodes, add it back to the spec with retire: true, and remove it when its nodes are gone; "
        f"or build with --allow-removal '{cluster}/{name}'"
    )
    return Diagnostic("OUT007", Severity.WARNING, message, remedy, span)


def _cluster_fault(span: Span, pool: _RemovedPool) -> Diagnostic:
    """A whole cluster is removed: the delivery engine finds no folder to apply, reports that, and deletes nothing."""
    cluster, name, _ = pool
    nodes = f"nodes with {_nodes(pool)} stay, and the pool can still scale up"
    message = f"cluster {cluster} is removed from the fleet, but its pool {name} is not retired: {nodes}"
    remedy = (
        "set retire: true on its pools first, and remove the cluster when their nodes are gone; "
        f"or build with --allow-removal '{cluster}/{name}'"
    )
    return Diagnostic("OUT007", Severity.WARNING, message, remedy, span)
