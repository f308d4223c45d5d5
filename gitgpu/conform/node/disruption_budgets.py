"""The disruption budgets of a NodePool, with their places."""

from gitgpu.conform.node.node_pools import NodePool
from gitgpu.conform.objects import mapping, reach
from gitgpu.schedule.budget import Budget, budget, possible
from gitgpu.source import Pointer

BUDGETS: Pointer = ("spec", "disruption", "budgets")


def budgets(pool: NodePool) -> list[Budget]:
    """The budgets that a NodePool writes; none when it leaves them to their default."""
    written = reach(pool.item.body, *BUDGETS) or ()
    return [budget(at, mapping(entry)) for at, entry in enumerate(written)]


def possible_reasons(pool: NodePool) -> frozenset[str]:
    """The reasons for which Karpenter disrupts nodes of a NodePool at all."""
    static = reach(pool.item.body, "spec", "replicas") is not None
    return possible(reach(pool.item.body, *BUDGETS[:-1]) or {}, static=static)


def place(candidate: Budget, *path: str) -> Pointer:
    """The place of a budget, or of a value in it."""
    return (*BUDGETS, candidate.at, *path)
