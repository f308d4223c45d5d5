"""Requirements on the memory of a size that are written as if the label counted GiB; it counts MiB."""

from collections.abc import Iterator

from gitgpu.objects.node.node_pools import LabelRequirement, NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding

MIB_PER_GIB = 1024


def memory_demands(objects: Objects) -> Iterator[tuple[NodePool, LabelRequirement]]:
    """Every requirement or template label of a NodePool on the memory of its sizes."""
    keys = objects.catalog.must("labels", "karpenter")["memory"]["keys"]
    for pool in node_pools(objects):
        for demand in pool.label_requirements:
            if demand.key in keys and demand.meaning:
                yield pool, demand


def least_memory(objects: Objects) -> int:
    """The memory in MiB of the smallest GPU size."""
    minimum: int = objects.catalog.must("labels", "karpenter")["memory"]["leastMiB"]
    return minimum


def gib_written(pool: NodePool, demand: LabelRequirement) -> Finding:
    """The finding about a bound in MiB that must have been meant in GiB."""
    amount = demand.values[0][1]
    message = f"{demand.key} counts MiB, and every size has more than {amount} MiB of memory"
    return Finding(pool.item, demand.place, message, f'use "{int(amount) * MIB_PER_GIB}" for {amount} GiB')
