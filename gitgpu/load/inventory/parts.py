"""Inventories put together."""

from collections.abc import Iterable

from gitgpu.load.inventory.observed import Inventory


def together(inventories: Iterable[Inventory]) -> Inventory:
    """Everything of several inventories, in their order; clusters are not joined yet."""
    every = list(inventories)
    return Inventory(
        tuple(cluster for each in every for cluster in each.clusters),
        tuple(passed for each in every for passed in each.passed),
        tuple(fault for each in every for fault in each.faults),
    )
