"""A cooldown without effect: the workload never scales to zero."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import can_scale_from_zero


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that KEDA scales, with a cooldown although they always have a replica."""
    for workload in inputs.workloads:
        scaling = workload.scaling
        if scaling and scaling.engine == "keda" and scaling.cooldown and scaling.lowest > 0:
            message = f"cooldown has no effect with min: {scaling.min}: it is the wait before scaling to zero"
            remedy = "remove cooldown" + (", or set min: 0" if can_scale_from_zero(inputs, scaling) else "")
            yield Finding(workload.origin, ("spec", "scaling", "cooldown"), message, remedy)


RULE = Rule(
    code="SCL013",
    name="cooldown-without-zero",
    twin="KED028",
    severity=Severity.WARNING,
    summary="A workload has a cooldown and never scales to zero.",
    help="KEDA itself only removes the last replica, after the cooldown. Above one replica the "
    "HorizontalPodAutoscaler scales, with its own stabilisation window, and ignores the cooldown.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/executor/scale_scaledobjects.go",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    check=_check,
)
