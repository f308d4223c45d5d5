"""Joins inventories."""

from collections.abc import Iterable

from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.observed import Inventory, ObservedCluster, Skipped


def together(inventories: Iterable[Inventory]) -> Inventory:
    """Everything in several inventories, in their order. Clusters are not joined yet."""
    clusters: list[ObservedCluster] = []
    skipped: list[Skipped] = []
    faults: list[Diagnostic] = []
    for inventory in inventories:
        clusters += inventory.clusters
        skipped += inventory.skipped
        faults += inventory.faults
    return Inventory(tuple(clusters), tuple(skipped), tuple(faults))
