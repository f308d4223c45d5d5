"""GPU pools that run on a cluster but are not in the fleet."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.adopt.node.node_objects import name_of, nodes_of
from gitgpu.compare.nodes import Context
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.fleet import Cluster

_NO_CLUSTER = "the fleet has no cluster {}: if it has another name in the fleet, pass that with --cluster"
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
