"""A metricType where KEDA has no choice."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.scaling import VALUE
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Metric types of GPU metrics, which are averages, and of work for which KEDA creates Jobs."""
    for workload, _, signal in signals(inputs):
        if signal.metric_type is None:
            continue
        if signal.metric != "query" and not signal.in_azure:
            message = f"metricType has no effect: {signal.metric} is an average over the GPUs of the replicas"
        elif workload.job is not None and signal.metric_type == VALUE:
            message = f"metricType: {VALUE} has no effect for Jobs: KEDA divides the waiting work among them"
        else:
            continue
        yield Finding(workload.origin, (*signal.place, "metricType"), message, "remove metricType")


RULE = Rule(
    code="SCL075",
    name="metric-type-without-effect",
    severity=Severity.ERROR,
    summary="A trigger has a metricType that KEDA cannot follow: for a metric of GPUs, or for Jobs.",
    help="The GPU metrics are averages in percent, which KEDA compares as they are. For a ScaledJob, KEDA divides the "
    "value by the target to get the number of Jobs.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
)
