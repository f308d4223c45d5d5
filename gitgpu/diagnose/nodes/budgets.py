"""Disruption budgets of a NodePool that allow no disruption now, and when they next do."""

from datetime import date

from gitgpu.access import mapping_at, reach, rows
from gitgpu.diagnose.cause import Evidence, subject_of
from gitgpu.diagnose.nodes.blocking import Blocker
from gitgpu.diagnose.reading.clock import stamp
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import NODE
from gitgpu.model.names.labels import INITIALIZED_LABEL, NODEPOOL_LABEL
from gitgpu.model.symptoms import rules_of
from gitgpu.objects.objects import Item
from gitgpu.schedule.budget import Budget, budget
from gitgpu.schedule.openings import allowed_disruptions, next_opening

_EPOCH = date(1970, 1, 1).toordinal() * 24 * 60  # the minute with which times in seconds begin


def closed_budgets(pool: Item, reason: str, state: State) -> Blocker | None:
    """What the budgets of a pool say, if they allow no disruption for a reason at the time of the dump."""
    name = ("closed budgets", pool.identity.name, reason)  # the same for every node of the pool
    return state.objects.once(name, lambda: _closed(pool, reason, state))


def _closed(pool: Item, reason: str, state: State) -> Blocker | None:
    if state.now is None:
        return None
    written = reach(pool.body, "spec", "disruption", "budgets")
    given = [budget(at, entry) for at, entry in enumerate(rows(pool.body, "spec", "disruption", "budgets"))]
    given = given if written is not None else [budget(0, {})]
    nodes, busy = _counts(pool, state)
    minute = _EPOCH + int(state.now) // 60
    limit = allowed_disruptions(given, reason, nodes, minute)
    if limit is None or limit > busy:
        return None
    opening = next_opening(given, reason, nodes, busy, minute)
    until = f" until {stamp((opening - _EPOCH) * 60)}" if opening is not None else ""
    name = pool.identity.name
    if limit:
        message = (
            f"its budgets allow {limit} of {nodes} nodes of NodePool {name}, and {busy} are not Ready or removed now"
        )
        remedy = "wait until these nodes are replaced, or raise the budget"
    else:
        message = f"the budgets of NodePool {name} allow no disruption for the reason {reason}{until}"
        remedy = "wait, or change the budgets" if until else "change the budgets: they never allow it"
    evidence = Evidence(subject_of(pool).full_name, f"budgets: {'; '.join(map(_shown, given))}")
    return Blocker(message, remedy, evidence, rules_of("blocking-budget", state.objects.catalog))


def _shown(given: Budget) -> str:
    reasons = f" for {', '.join(sorted(given.reasons))}" if len(given.reasons) < 3 else ""
    return f"{given.nodes} nodes{reasons}" + (f" at {given.schedule} for {given.duration}" if given.schedule else "")


def _counts(pool: Item, state: State) -> tuple[int, int]:
    """The initialized nodes of a pool, and how many of them are not Ready or being removed."""
    total = busy = 0
    for node in state.objects.of(*NODE):
        labels = mapping_at(node.body, "metadata", "labels")
        if labels.get(NODEPOOL_LABEL) != pool.identity.name or labels.get(INITIALIZED_LABEL) != "true":
            continue
        ready = condition(node, "Ready")
        total += 1
        busy += bool(ready is None or ready.status != "True" or reach(node.body, "metadata", "deletionTimestamp"))
    return total, busy
