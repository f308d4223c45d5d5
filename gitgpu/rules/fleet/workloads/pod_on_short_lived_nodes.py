"""A Job in a pool whose nodes expire early."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.duration import seconds
from gitgpu.objects.workload.known_kinds import ENDING
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.schedule.expiry import DEFAULT_EXPIRE_AFTER


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs on pools whose nodes expire earlier than by default."""
    for workload in inputs.workloads:
        if workload.target_kind not in ENDING:
            continue
        # Without expireAfter, nodes expire after DEFAULT_EXPIRE_AFTER.
        ages = {pool.name: pool.disruption.get("expireAfter", "Never") for pool in inputs.pools_named(workload)}
        for index, name in enumerate(workload.pools):
            age = ages.get(name, "Never")
            if age != "Never" and seconds(age) < seconds(DEFAULT_EXPIRE_AFTER):
                message = (
                    f"nodes of pool {name} are drained after {age}, even while the {workload.target_kind} runs on them"
                )
                remedy = "set expireAfter: Never; nodes are then replaced when they drift, as the budgets allow"
                yield Finding(workload.origin, ("spec", "pools", index), message, remedy)


RULE = Rule(
    code="DIS010",
    name="pod-on-short-lived-nodes",
    twin="POD095",
    severity=Severity.WARNING,
    summary="A Job runs in a pool whose nodes expire earlier than by default.",
    help="Expiry ignores budgets and does not start a replacement first: a node of that age is drained. A Job that "
    "starts on an old node may be interrupted after minutes.",
    sources=(
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim.go",
    ),
    check=_check,
)
