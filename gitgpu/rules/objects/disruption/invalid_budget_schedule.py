"""A disruption budget whose schedule Karpenter cannot read."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.cron import schedule_fault
from gitgpu.objects.node.disruption_budgets import budgets, place, pools_with_budgets
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in pools_with_budgets(objects):
        for budget in budgets(pool):
            fault = schedule_fault(budget.schedule) if budget.schedule is not None else ""
            if fault:
                message = f"Karpenter cannot read the schedule '{budget.schedule}': {fault}"
                remedy = (
                    'use five fields: minute, hour, day, month, weekday (0-6 or sun-sat), such as "0 9 * * mon-fri"'
                )
                yield Finding(pool.item, place(budget, "schedule"), message, remedy)


RULE = Rule(
    code="NPL010",
    name="invalid-budget-schedule",
    twin="DIS005",
    severity=Severity.ERROR,
    summary="Karpenter cannot parse the cron schedule of a disruption budget.",
    help="The API server checks only the number of fields. When Karpenter cannot read one schedule, it allows no "
    "disruption at all, for any reason: drifted nodes are not replaced and empty nodes not removed. The parser does "
    "not support weekday 7, ranges that run backwards, L, W, # and time zones.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
        "https://github.com/robfig/cron/blob/v3.0.1/parser.go",
    ),
    check=_check,
)
