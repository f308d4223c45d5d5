"""A polling interval without effect: the workload never scales to zero."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import can_scale_from_zero


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that KEDA scales, with a polling interval although they always have a replica. Jobs are polled for."""
    for workload in inputs.workloads:
        scaling = workload.scaling
        is_by_keda = scaling and scaling.engine == "keda" and workload.job is None
        if scaling and is_by_keda and scaling.polling_interval and scaling.idle is None and scaling.min > 0:
            message = f"pollingInterval has no effect with min: {scaling.min}: the HPA reads the metrics by itself"
            remedy = "remove pollingInterval" + (", or set min: 0" if can_scale_from_zero(inputs, scaling) else "")
            yield Finding(workload.origin, ("spec", "scaling", "pollingInterval"), message, remedy)


RULE = Rule(
    code="SCL080",
    name="polling-interval-ignored",
    twin="KED040",
    severity=Severity.WARNING,
    summary="A workload has a pollingInterval and never scales to zero.",
    help="KEDA polls to scale a workload up from zero, and to create Jobs. Above zero, the HorizontalPodAutoscaler "
    "reads the metrics, every 15s by default.",
    sources=(
        "https://github.com/kedacore/keda/issues/6168",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
)
