"""A budget schedule that Karpenter cannot parse."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.cron import schedule_fault
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Schedules that the API server accepts and Karpenter cannot parse."""
    for pool in inputs.pools:
        for index, budget in enumerate(pool.disruption.get("budgets", ())):
            fault = schedule_fault(budget["schedule"]) if "schedule" in budget else ""
            if fault:
                place = pool_place(pool, "disruption", "budgets", index, "schedule")
                message = f"invalid schedule '{budget['schedule']}': {fault}"
                yield Finding(
                    *place, message, 'use five fields: minute, hour, day, month, weekday, such as "0 0 * * 6"'
                )


RULE = Rule(
    code="DIS005",
    name="invalid-budget-schedule",
    twin="NPL010",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The schedule of a disruption budget is not a cron expression that Karpenter can parse.",
    help="The API server checks the form of a schedule, not its numbers. Karpenter then fails whenever it "
    "calculates how many nodes it may disrupt, and disrupts none: one invalid budget blocks the whole pool.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
        "https://github.com/robfig/cron/blob/bc59245fe10efaed9d51b56900192527ed733435/parser.go",
    ),
    check=_check,
)
