"""Clusters with different names that are one cluster, or that nothing in the input distinguishes.

A running cluster is identified by its resource ID, the host of its API server, the resource group of its nodes, and the
UIDs of its objects. An object that was created at the same time under the same name is taken to be the same one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.kubernetes_objects import POOLS
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.inventory.same_objects import identity_of
from gitgpu.model.names.kinds import group_kind
from gitgpu.source import Span

_NEWEST = "pass only the newest export"
_APART = "put the output of `az aks show` into the folder of each"


def exports_of_one_cluster(clusters: Iterable[ObservedCluster]) -> Iterator[Diagnostic]:
    """A fault for two clusters with the same API server, the same nodes, or a pool created at the same time."""
    first: dict[tuple[str, ...], ObservedCluster] = {}
    reported: set[tuple[str, str]] = set()
    for cluster in clusters:
        for mark in _marks(cluster):
            other = first.setdefault(mark.fact, cluster)
            if other is cluster or (other.name, cluster.name) in reported:
                continue
            reported.add((other.name, cluster.name))
            message = f"{other.name} and {cluster.name} {mark.words}: these are two exports of the same cluster"
            yield Diagnostic("IMP006", Severity.ERROR, message, mark.remedy, mark.span)


class _Mark(NamedTuple):
    """What only one cluster has: the fact, what two clusters with it have in common, and its place."""

    fact: tuple[str, ...]
    words: str
    span: Span
    remedy: str = _NEWEST


def _marks(cluster: ObservedCluster) -> Iterator[_Mark]:
    if not cluster.objects and not cluster.azure.span:
        return  # overlays record its version, and the input has nothing else of it
    span = _place(cluster)
    for host in sorted(cluster.azure.hosts):
        yield _Mark(("host", host.lower()), f"have the API server {host}", span)
    for group in sorted(cluster.azure.node_groups):
        yield _Mark(("nodes", group), f"have nodes in the resource group {group.rpartition('/')[2]}", span)
    for pool in _pools(cluster):
        if pool.created and not pool.uid:
            words = f"have {pool.name}, which was created at {pool.created} in both"
            remedy = f"{_NEWEST}; if they are two clusters, import each with `--cluster NAME`"
            yield _Mark(("created", *identity_of(pool.body), pool.created), words, pool.places.span(), remedy)


def unidentified_clusters(clusters: Sequence[ObservedCluster]) -> Iterator[Diagnostic]:
    """A warning for each exported cluster that nothing identifies, if another one has a pool of the same name."""
    by_pool: dict[tuple[str, ...], str] = {}
    for cluster in sorted(clusters, key=lambda each: not _is_identified(each)):
        pools = _pools(cluster)
        printed_pools = (pool for pool in pools if pool.exported or pool.live)
        same = next((pool for pool in printed_pools if identity_of(pool.body) in by_pool), None)
        if same and cluster.name and not _is_identified(cluster):
            yield _unidentified(cluster.name, by_pool[identity_of(same.body)], same)
        for pool in pools:
            by_pool.setdefault(identity_of(pool.body), cluster.name)


def _unidentified(name: str, other: str, pool: Observed) -> Diagnostic:
    message = f"{name} is possibly {other}: both have {pool.name}, and nothing in this export identifies its cluster"
    remedy = f"if it is, {_NEWEST}; if not, {_APART}"
    return Diagnostic("IMP025", Severity.WARNING, message, remedy, pool.places.span())


def _is_identified(cluster: ObservedCluster) -> bool:
    """Whether something in the input distinguishes this cluster from any other one."""
    azure = cluster.azure
    known = azure.resource_id or azure.hosts or azure.node_groups or cluster.server
    return bool(known) or any(observed.uid or observed.created for observed in cluster.objects)


def _pools(cluster: ObservedCluster) -> list[Observed]:
    """The objects about its pools, NodePools first."""
    pools = (observed for observed in cluster.objects if group_kind(observed.body) in POOLS)
    return sorted(pools, key=lambda pool: POOLS.index(group_kind(pool.body)))


def _place(cluster: ObservedCluster) -> Span:
    """A document about the cluster."""
    return cluster.azure.span or cluster.objects[0].places.span()
