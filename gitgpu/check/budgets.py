"""Disruption budgets of a pool: those that let nothing go, and the times at which none of them limits anything."""

from collections.abc import Iterator

from gitgpu.model.fleet import Pool
from gitgpu.schedule.budget import Unlimited, budget, possible, unlimited


def blocked(pool: Pool, reason: str) -> Iterator[int]:
    """The budgets of a pool, by index, that forbid a disruption for a reason and are always there.

    None for a pool where some budget has a schedule: there its author thought about the time.
    """
    budgets = pool.disruption.get("budgets", ())
    if any("schedule" in entry or "duration" in entry for entry in budgets):
        return
    for index, row in enumerate(budgets):
        if int(row["nodes"].rstrip("%")) == 0 and reason in row.get("reasons", (reason,)):
            yield index


def left_open(pool: Pool) -> Iterator[Unlimited]:
    """The times at which the budgets of a pool do not limit what Karpenter disrupts."""
    given = [budget(at, entry) for at, entry in enumerate(pool.disruption.get("budgets", ()))]
    yield from unlimited(given, possible_reasons(pool))


def possible_reasons(pool: Pool) -> frozenset[str]:
    """The reasons for which Karpenter disrupts nodes of the pool at all."""
    return possible(pool.disruption, static=pool.objects.replicas is not None)
