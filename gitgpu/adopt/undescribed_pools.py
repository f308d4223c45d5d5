"""GPU pools that run on a cluster but are not in the fleet."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from gitgpu.adopt.adoption import ClusterDocument, Fate, Outcome
from gitgpu.adopt.clusters import ClusterOptions, cluster_name
from gitgpu.adopt.node.node_objects import is_of_nodes, name_of, nodes_of
from gitgpu.compare.nodes import Context
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.inventory.same_objects import identity_of
from gitgpu.model.fleet import Cluster

_NO_CLUSTER = "the fleet has no cluster {}: if it has a different name in the fleet, pass that with --cluster"
_NO_POOL = "the fleet has no pool {} on cluster {}"


class Described(NamedTuple):
    """What a fleet has of a cluster: None without a document, and the kind and name of each of its pools."""

    name: str
    cluster: Cluster | None
    pools: Collection[tuple[str, str]]


def undescribed_pools(running: ObservedCluster, described: Described, context: Context) -> Iterator[Outcome]:
    """An outcome for each GPU pool of a running cluster that the fleet does not have."""
    name, cluster, pools = described
    nodes = nodes_of(running, cluster.region if cluster else running.azure.region or "", context)
    for pool in nodes.gpu:
        observed = pool.observed
        if cluster is None:
            yield Outcome(observed, Fate.INEXPRESSIBLE, _NO_CLUSTER.format(name))
        elif (observed.body["kind"], name_of(observed)) not in pools:
            yield Outcome(observed, Fate.INEXPRESSIBLE, _NO_POOL.format(pool.name, name))
    yield from (outcome for outcome in nodes.outcomes if outcome.fate is Fate.INEXPRESSIBLE)


def pools_by_cluster(clusters: Iterable[ObservedCluster], documents: Iterable[ClusterDocument]) -> dict[str, set[str]]:
    """The names of the pools of each imported cluster: all that run, and those of its documents."""
    pools: dict[str, set[str]] = {}
    for name, document in documents:
        if name:
            pools.setdefault(name, set()).update([document.name] if document.kind == "GpuPool" else [])
    for cluster in clusters:
        names = pools.get(cluster_name(cluster, ClusterOptions()))
        if names is not None:
            names.update(identity_of(each.body)[-1] for each in cluster.objects if is_of_nodes(each.body))
    return pools
