"""A budget with a schedule should also end."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.cron import cron
from gitgpu.model.duration import seconds
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  disruption:
    budgets:
    - {nodes: "0", schedule: "0 6 * * *", duration: 24h}
    - {nodes: "1"}
"""
GOOD = BAD.replace("24h", "14h")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Budgets that begin again before they end, and those that begin on no day."""
    for pool in inputs.nodepools:
        for index, budget in enumerate(pool.disruption.get("budgets", ())):
            if fault := _fault(budget):
                key, message, remedy = fault
                place = pool_place(inputs, pool, "disruption", "budgets", index, key)
                yield Finding(*place, message, remedy)


def _fault(budget: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """The key, what is wrong with it and what to write."""
    if "schedule" not in budget or "duration" not in budget:
        return None
    try:
        gap = cron(budget["schedule"]).longest_gap
    except ValueError:
        return None  # another rule says so
    if gap is None:
        message = f"'{budget['schedule']}' is on no day, which Karpenter takes for always: the budget never ends"
        return "schedule", message, "write a day that its months have"
    if seconds(budget["duration"]) < 60 * gap:
        return None
    message = f"the budget begins at '{budget['schedule']}' and lasts {budget['duration']}: it never ends"
    return "duration", message, f"write duration: {_half(gap)}, or another below {_shown(gap)}"


def _half(gap: int) -> str:
    """Half of the time from one beginning to the next, in whole hours where there is one."""
    half = gap // 2
    return _shown(half - half % 60 if half >= 60 else max(half, 1))


def _shown(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return "".join(f"{amount}{unit}" for amount, unit in ((hours, "h"), (rest, "m")) if amount)


RULE = Rule(
    code="DIS006",
    name="budget-without-a-pause",
    severity=Severity.WARNING,
    summary="A disruption budget with a schedule holds at all times.",
    help="A budget holds from each time of its schedule for its duration. When it begins again before it has ended, it "
    "is a budget without a schedule; one that allows no nodes then keeps every node as it is, for ever.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
        "https://github.com/robfig/cron/blob/bc59245fe10efaed9d51b56900192527ed733435/spec.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
