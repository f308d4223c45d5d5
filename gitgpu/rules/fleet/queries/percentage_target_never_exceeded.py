"""A target so high that a metric in percent never exceeds it by enough to scale up."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import gpu_signals

MAX_PERCENTAGE = 100  # the highest percentage
TOLERANCE = 1.1  # Kubernetes' default: a HorizontalPodAutoscaler does nothing while metric / target is below this


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that never get another replica."""
    for workload, signal, row in gpu_signals(inputs):
        if row["unit"] != "percent" or signal.target < MAX_PERCENTAGE / TOLERANCE:
            continue
        if signal.target > MAX_PERCENTAGE:
            message = f"{signal.metric} is a percentage and never reaches the target {signal.target:g}"
        else:
            needed = f"{signal.metric} would have to exceed {signal.target * TOLERANCE:g}%"
            message = f"a target of {signal.target:g} never scales up: {needed}"
        remedy = "set a target of at most 90, such as target: 70"
        yield Finding(workload.origin, (*signal.place, "target"), message, remedy)


RULE = Rule(
    code="SCL011",
    name="percentage-target-never-exceeded",
    severity=Severity.ERROR,
    summary="The target of a metric in percent is so high that the workload never scales up.",
    help="A HorizontalPodAutoscaler divides the metric by its target and does nothing while the two are within 10% of "
    "each other. A percentage ends at 100, so with a target above 90 the workload stays at its minimum replicas.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    facts=("metrics",),
    check=_check,
    replaces=("SCL014",),
)
