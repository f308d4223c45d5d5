"""The disruption budgets of a NodePool, with their places."""

from gitgpu.access import mapping_at, reach
from gitgpu.objects.node.node_pools import NodePool, every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.schedule.budget import Budget, budget, possible
from gitgpu.source import Pointer

BUDGETS: Pointer = ("spec", "disruption", "budgets")


def pools_with_budgets(objects: Objects) -> tuple[NodePool, ...]:
    """Every NodePool that sets budgets; most use the default."""
    pools = every_node_pool(objects)
    return objects.once("budgeted", lambda: tuple(pool for pool in pools if reach(pool.item.body, *BUDGETS)))


def budgets(pool: NodePool) -> list[Budget]:
    """The budgets that a NodePool sets; empty if it uses the default."""
    written = reach(pool.item.body, *BUDGETS) or ()
    return [budget(index, mapping_at(entry)) for index, entry in enumerate(written)]


def possible_reasons(pool: NodePool) -> frozenset[str]:
    """The reasons for which Karpenter can disrupt nodes of a NodePool."""
    static = reach(pool.item.body, "spec", "replicas") is not None
    return possible(reach(pool.item.body, *BUDGETS[:-1]) or {}, static=static)


def place(candidate: Budget, *path: str) -> Pointer:
    """The place of a budget, or of a value in it."""
    return (*BUDGETS, candidate.at, *path)
