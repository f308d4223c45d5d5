"""A cooldown that a HorizontalPodAutoscaler does not allow, or that its behavior sets too."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.autoscaling import MAX_STABILIZATION_WINDOW
from gitgpu.model.syntax.duration import seconds
from gitgpu.rules.fleet_rule import Finding, Rule

_COOLDOWN = ("spec", "scaling", "cooldown")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose stabilisation window the API server would reject."""
    for workload in inputs.workloads:
        scaling = workload.scaling
        if not scaling or scaling.engine != "hpa" or not scaling.cooldown:
            continue
        if seconds(scaling.cooldown) > MAX_STABILIZATION_WINDOW:
            message = f"cooldown is {scaling.cooldown}, but a HorizontalPodAutoscaler allows at most 1h"
            yield Finding(workload.origin, _COOLDOWN, message, "use 1h or less")
        window = reach(scaling.behavior, "scaleDown", "stabilizationWindowSeconds")
        if window is not None:
            message = f"with engine: hpa, cooldown is the stabilization window of scaling down, which is also {window}s"
            yield Finding(workload.origin, _COOLDOWN, message, "remove cooldown")


RULE = Rule(
    code="SCL029",
    name="invalid-scaling-behavior",
    twin="KED026",
    severity=Severity.ERROR,
    summary="A workload has engine: hpa and a cooldown longer than an hour, or together with a window in its behavior.",
    help="gitgpu writes the cooldown as the stabilisation window of scaling down, and the API server rejects a window "
    "of more than 3,600 seconds.",
    sources=("https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/",),
    check=_check,
)
