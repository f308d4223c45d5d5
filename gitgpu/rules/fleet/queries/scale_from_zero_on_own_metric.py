"""A workload that scales to zero on a GPU metric, which only its own pods produce."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.queries._own_metrics import is_own_metric, stuck_at_zero
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose signals are all GPU metrics. SCL022 reports those that also have a query."""
    for workload, scaling in stuck_at_zero(inputs):
        if not all(is_own_metric(signal, inputs.catalog) for signal in scaling.signals):
            continue
        key = "min" if scaling.idle is None else "idle"
        metrics = join_names([signal.metric for signal in scaling.signals])
        message = f"without a pod there is no {metrics}: with {key}: 0 the workload never scales up again"
        instead = "set min: 1" if key == "min" else "remove idle"
        remedy = f"{instead}, or scale on something that exists without pods, such as the length of a queue"
        yield Finding(workload.origin, ("spec", "scaling", key), message, remedy)


RULE = Rule(
    code="SCL001",
    name="scale-from-zero-on-own-metric",
    twin="KED019",
    severity=Severity.ERROR,
    summary="A workload scales to zero on a metric that only its own pods produce.",
    help="DCGM reports a GPU under the name of the pod that uses it. The series ends with the last pod, KEDA reads an "
    "empty result as 0, and the metric can never rise above the target again.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://learn.microsoft.com/azure/aks/autoscale-gpu-workloads-with-keda",
    ),
    facts=("metrics",),
    check=_check,
)
