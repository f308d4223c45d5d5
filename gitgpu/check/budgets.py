"""Disruption budgets of a pool: those that let nothing go, and the times at which none of them limits anything."""

from collections.abc import Iterable, Iterator

from gitgpu.model.fleet import Pool
from gitgpu.schedule.budget import WEEK, Budget, Unlimited, budget, complement, possible, unlimited
from gitgpu.spelling import join_names


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


def unlimited_rest(found: Unlimited) -> str:
    """What a budget leaves open at the times at which it does not hold."""
    candidate = found.budget
    rest = f"{100 * len(found.week) // WEEK} % of the week" if found.week else "the rest of the time"
    why = "" if found.every else f" for {join_names(sorted(found.reasons))}"
    return (
        f"no budget applies{why} outside '{candidate.schedule}' for {candidate.duration}: "
        f"in {rest} all nodes may be disrupted at once"
    )


def closing(found: Unlimited) -> str:
    """What to add: the budgets that forbid disruption in the rest of the week, or the one that allows it in words."""
    marked = "" if found.every else f", reasons: [{', '.join(sorted(found.reasons))}]"
    spans = complement(found.week)
    forbidding = [f'{{nodes: "0"{marked}, schedule: "{when}", duration: {lasts}}}' for when, lasts in spans]
    forbidden = " and ".join(forbidding) or 'budgets of nodes: "0" with a schedule and a duration for the other times'
    return f"to forbid disruption then, add {forbidden}; to allow it, add {{nodes: 100%{marked}}}"


def bare(given: Iterable[Budget], reasons: frozenset[str]) -> frozenset[str]:
    """The reasons that no budget ever covers, but Empty: that empty nodes go at once interrupts no pod."""
    return reasons - frozenset({"Empty"}).union(*(candidate.reasons for candidate in given))


def bounding(reasons: frozenset[str]) -> str:
    """What to add where nothing limits disruption for these reasons, or for any where none is named."""
    marked = f", reasons: [{', '.join(sorted(reasons))}]" if reasons else ""
    return f"add {{nodes: 10%{marked}}} to keep Karpenter's default, or {{nodes: 100%{marked}}} when this is meant"
