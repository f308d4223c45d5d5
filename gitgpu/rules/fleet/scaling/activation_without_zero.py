"""An activation without effect: the workload never scales to zero."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import can_scale_from_zero, signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Activations of workloads that KEDA scales and that always have a replica. A ScaledJob always starts at zero."""
    for workload, scaling, signal in signals(inputs):
        never = scaling.engine == "keda" and scaling.lowest > 0 and workload.job is None
        if signal.activation is not None and never:
            message = f"activation has no effect with min: {scaling.min}: it only decides when to scale up from zero"
            place = (*signal.place, "activation")
            remedy = "remove activation" + (
                ", or set min: 0 or idle: 0" if can_scale_from_zero(inputs, scaling) else ""
            )
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL063",
    name="activation-without-zero",
    severity=Severity.WARNING,
    summary="A workload has an activation and never scales to zero.",
    help="KEDA compares the metric with the activation only to decide between zero and one replica. From one replica "
    "on, the HorizontalPodAutoscaler scales by the target.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/executor/scale_scaledobjects.go",
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/concepts/scaling-deployments.md",
    ),
    check=_check,
)
