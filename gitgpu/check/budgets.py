"""Disruption budgets that let nothing go, at any time."""

from collections.abc import Iterator

from gitgpu.model.fleet import Pool


def blocked(pool: Pool, reason: str) -> Iterator[int]:
    """The budgets of a pool, by index, that forbid a disruption for a reason and are always there.

    None for a pool where some budget has a schedule: there its author thought about the time.
    """
    budgets = pool.disruption.get("budgets", ())
    if any("schedule" in budget or "duration" in budget for budget in budgets):
        return
    for index, budget in enumerate(budgets):
        if int(budget["nodes"].rstrip("%")) == 0 and reason in budget.get("reasons", (reason,)):
            yield index
