"""Scheduled disruption budgets that hold without a pause."""

from collections.abc import Iterator

from gitgpu.conform.node.disruption_budgets import budgets, place
from gitgpu.conform.node.node_pools import NodePool, every_node_pool
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.schedule.budget import REASONS, WEEK, Budget
from gitgpu.source import pointer_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        dated = [budget for budget in budgets(pool) if budget.schedule is not None]
        yield from _dateless(pool, dated)
        if blocks := [budget for budget in dated if budget.allows_none]:
            yield from _closed(pool, blocks)


def _dateless(pool: NodePool, dated: list[Budget]) -> Iterator[Finding]:
    for budget in dated:
        read = budget.read()
        if read and not (read.days and read.minutes):
            message = f"no date fits the schedule '{budget.schedule}', and then the budget holds all the time"
            yield Finding(pool.item, place(budget, "schedule"), message, "write a day that the months have")


def _closed(pool: NodePool, blocks: list[Budget]) -> Iterator[Finding]:
    """A shorter duration leaves a time only for reasons that no budget without a schedule holds back as well."""
    always = {reason: one for one in budgets(pool) if one.always and one.allows_none for reason in one.reasons}
    for reason in sorted(REASONS, key=lambda one: (one in always, one)):
        fitting = [budget for budget in blocks if reason in budget.reasons]
        held = frozenset[int]().union(*(budget.week() for budget in fitting))
        if len(held) == WEEK:
            message = f"the budgets of no nodes leave no time of the week for the reason {reason}"
            yield Finding(pool.item, place(fitting[-1], "duration"), message, _remedy(always.get(reason)))
            return


def _remedy(always: Budget | None) -> str:
    if always:
        return f"remove the budgets of no nodes that have a schedule: {pointer_text(place(always))} always holds"
    return "write a shorter duration, so that some time of the week is in none of these budgets"


RULE = Rule(
    code="NPL012",
    name="endless-budget",
    severity=Severity.WARNING,
    summary="The schedules of a NodePool's disruption budgets leave no pause.",
    help="Scheduled budgets of no nodes are there to leave a time for disruption. When the next one begins before the "
    "last one ends, drifted nodes are never replaced. A date that never comes is worse: Karpenter takes the budget to "
    "hold all the time.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
        "https://github.com/robfig/cron/blob/v3.0.1/spec.go",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  disruption:
    consolidateAfter: 1h
    budgets:
    - {nodes: "0", schedule: 0 6 * * mon-fri, duration: 24h}
    - {nodes: "0", schedule: 0 0 * * sat, duration: 54h}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  disruption:
    consolidateAfter: 1h
    budgets:
    - {nodes: "0", schedule: 0 6 * * mon-fri, duration: 20h}
    - {nodes: "0", schedule: 0 0 * * sat, duration: 54h}
    - {nodes: 10%}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
)
