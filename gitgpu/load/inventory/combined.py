"""Joins inventories."""

from collections.abc import Iterable

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.inventory.observed import Inventory, ObservedCluster, Passed


def together(inventories: Iterable[Inventory]) -> Inventory:
    """Everything in several inventories, in their order. Clusters are not joined yet."""
    clusters: list[ObservedCluster] = []
    passed: list[Passed] = []
    faults: list[Diagnostic] = []
    for inventory in inventories:
        clusters += inventory.clusters
        passed += inventory.passed
        faults += inventory.faults
    return Inventory(tuple(clusters), tuple(passed), tuple(faults))
