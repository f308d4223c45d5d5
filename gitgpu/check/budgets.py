"""Disruption budgets of a pool: those that allow nothing, and the times at which no budget limits anything."""

from collections.abc import Iterator

from gitgpu.model.fleet import Pool
from gitgpu.schedule.budget import Budget, Unlimited, budget, possible, unlimited


def blocked(pool: Pool, reason: str) -> Iterator[int]:
    """The indexes of the budgets of a pool that always forbid disruption for a reason."""
    every_budget = budgets(pool)
    # If any budget has a schedule, the author has decided when nodes may be disrupted.
    if all(each.always for each in every_budget):
        yield from (each.at for each in every_budget if each.allows_none and reason in each.reasons)


def left_open(pool: Pool) -> Iterator[Unlimited]:
    """The times at which the budgets of a pool do not limit what Karpenter disrupts."""
    yield from unlimited(budgets(pool), possible_reasons(pool))


def budgets(pool: Pool) -> list[Budget]:
    """The budgets of a pool, as Karpenter reads them."""
    return [budget(index, entry) for index, entry in enumerate(pool.disruption.get("budgets", ()))]


def possible_reasons(pool: Pool) -> frozenset[str]:
    """The reasons for which Karpenter can disrupt nodes of the pool."""
    return possible(pool.disruption, static=pool.objects.replicas is not None)
