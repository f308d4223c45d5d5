"""Files that gitgpu generated: what a fleet wants. They say nothing about the objects that run on a cluster."""

from gitgpu.inventory.kubernetes_objects import POOLS
from gitgpu.inventory.observed import Inventory, ObservedCluster, Skipped
from gitgpu.load.access import group_kind
from gitgpu.spelling import counted

_REASON = "written by gitgpu; what runs is read from the other input"


def without_generated(inventory: Inventory) -> Inventory:
    """The inventory without objects of generated files, if it contains running pools, and one note about them."""
    running = any(observed.live and group_kind(observed.body) in POOLS for observed in inventory.objects())
    generated = sorted({observed.places.span() for observed in inventory.objects() if observed.generated})
    if not (running and generated):
        return inventory
    clusters = [_read(cluster) for cluster in inventory.clusters]
    kept = [cluster for cluster in clusters if cluster.objects or cluster.azure.region or cluster.azure.resource_id]
    # A name that only overlays have is the name of the running cluster, if there is no other.
    names = {cluster.name for cluster in clusters if cluster.name}
    note = Skipped(counted(len(generated), "generated object"), generated[0], _REASON)
    return Inventory(tuple(clusters if len(names) == 1 else kept), (*inventory.skipped, note), inventory.faults)


def _read(cluster: ObservedCluster) -> ObservedCluster:
    """The cluster without objects of generated files."""
    return cluster._replace(objects=tuple(observed for observed in cluster.objects if not observed.generated))
