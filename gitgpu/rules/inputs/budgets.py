"""Disruption budgets of a pool: those that allow nothing, and the times at which no budget limits anything."""

from collections.abc import Iterator

from gitgpu.model.fleet import Pool
from gitgpu.schedule.budget import Budget, Unlimited, budget, possible, unlimited_times


def blocking_budgets(pool: Pool, reason: str) -> Iterator[int]:
    """The indexes of the budgets of a pool that always forbid disruption for a reason."""
    all_budgets = budgets(pool)
    # If any budget has a schedule, the author has decided when nodes may be disrupted.
    if all(entry.always for entry in all_budgets):
        yield from (entry.at for entry in all_budgets if entry.forbids(reason))


def open_times(pool: Pool) -> Iterator[Unlimited]:
    """The times at which the budgets of a pool do not limit what Karpenter disrupts."""
    yield from unlimited_times(budgets(pool), possible_reasons(pool))


def budgets(pool: Pool) -> list[Budget]:
    """The budgets of a pool, as Karpenter reads them."""
    return [budget(index, entry) for index, entry in enumerate(pool.disruption.get("budgets", ()))]


def possible_reasons(pool: Pool) -> frozenset[str]:
    """The reasons for which Karpenter can disrupt nodes of the pool."""
    return possible(pool.disruption, static=pool.objects.replicas is not None)
