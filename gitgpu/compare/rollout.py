"""How nodes are replaced: in waves, with as many nodes at once as the disruption budgets of the NodePool allow.

Karpenter starts a replacement before it drains a node, so each wave needs quota for that many additional nodes. It
creates nodes while a pool does not exceed its limits. A pool at its limits can exceed them by at most one node, so it
replaces its nodes one by one (GetAllowedDisruptionsByReason, which rounds percentages up, and Limits.ExceededBy of
kubernetes-sigs/karpenter).
"""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.compare.nodes import Pool
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.node.disruption_budgets import budgets
from gitgpu.schedule.budget import Budget, closed_times
from gitgpu.schedule.week import WEEK

DRIFTED = "Drifted"


class Rollout(NamedTuple):
    """The replacement of a pool's nodes; None is unknown.

    `closed` is how many hours of a week the budgets allow nothing, on average if that `varies`; `drain` limits how long
    a node may take to drain; `blocked` says why nothing will be replaced at all. `minutes` is the duration while
    budgets are open and the pool has room, `slowest` the duration for a pool at its limits. `week` are the minutes of
    every week in which budgets allow nothing (see `gitgpu.schedule.week`), 0 if weeks differ.
    """

    nodes: int | None
    at_once: int | None
    waves: int | None
    minutes: int | None
    slowest: int | None
    closed: float
    varies: bool
    drain: str | None
    blocked: str
    week: int = 0


def rollout(pool: Pool, nodes: int | None, minutes: int | None) -> Rollout | None:
    """How a NodePool would replace this number of nodes; None for AKS node pools, which replaces nodes itself."""
    if pool.karpenter is None:
        return None
    drift_budgets = [budget for budget in budgets(pool.karpenter) if DRIFTED in budget.reasons]
    at_once = _within_room(_at_once([budget for budget in drift_budgets if budget.always], nodes), pool)
    waves = ceil(nodes / at_once) if nodes and at_once else None
    pauses = closed_times(drift_budgets)
    grace = reach(pool.body, "spec", "template", "spec", "terminationGracePeriod")
    return Rollout(
        nodes=nodes,
        at_once=at_once,
        waves=waves,
        minutes=_times(waves, minutes),
        slowest=_times(nodes, minutes),
        closed=pauses.minutes / 60,
        varies=pauses.varies,
        drain=str(grace) if grace else None,
        blocked=_blocked(drift_budgets, pauses.minutes, full=pool.limits.nodes == 0),
        week=pauses.week,
    )


def _times(rounds: int | None, minutes: int | None) -> int | None:
    """The duration of this number of rounds; None if it is unknown, or if there are no rounds."""
    return rounds * minutes if rounds and minutes is not None else None


def _at_once(always: Sequence[Budget], nodes: int | None) -> int | None:
    """How many nodes budgets without a schedule allow at once; None if that depends on the unknown number of nodes."""
    allowed = [_allowed(budget.nodes, nodes) for budget in always]
    if None in allowed and 0 not in allowed:
        return None
    # Budgets apply together: the strictest one decides.
    return min([number for number in allowed if number is not None], default=nodes)


def _within_room(at_once: int | None, pool: Pool) -> int | None:
    """At most what a static pool has room for: it starts the replacement of a drifted node within limits.nodes."""
    replicas = reach(pool.body, "spec", "replicas")
    limit = pool.karpenter.limits.get("nodes") if pool.karpenter else None
    if not isinstance(replicas, int) or limit is None or at_once is None:
        return at_once
    return min(at_once, max(int(quantity(limit)) - replicas, 0))


def _allowed(text: str, nodes: int | None) -> int | None:
    if not text.endswith("%"):
        return int(text) if nodes is None else min(int(text), nodes)
    # 0% is 0 nodes, even if the number of nodes is unknown.
    part = int(text[:-1])
    if not part:
        return 0
    # Karpenter rounds up here (GetScaledValueFromIntOrPercent), so 10% of one node is one node.
    return None if nodes is None else ceil(nodes * part / 100)


def _blocked(drift_budgets: Sequence[Budget], closed: float, *, full: bool) -> str:
    unread = next((budget.schedule for budget in drift_budgets if not budget.always and budget.read() is None), None)
    if unread is not None:
        return f"the schedule {unread} cannot be parsed, so Karpenter does not allow disruption"
    if any(budget.always and budget.allows_none for budget in drift_budgets):
        return "a budget without a schedule does not allow disruption"
    if closed >= WEEK:
        return "the budgets do not allow disruption at any time of the week"
    return "its limits leave no room for a replacement node" if full else ""
