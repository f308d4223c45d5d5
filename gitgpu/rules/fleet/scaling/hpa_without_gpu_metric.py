"""A HorizontalPodAutoscaler on a query or an Azure service: gitgpu configures the adapter for GPU metrics only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Signals of engine: hpa that are not one of the three GPU metrics."""
    for workload, scaling, signal in signals(inputs):
        if scaling.engine == "hpa" and not inputs.catalog.facts("metrics", signal.metric):
            short = signal.metric == "query" and "triggers" not in signal.place
            cause = "metric is query" if short else f"{signal.metric} is not one"
            message = f"engine: hpa scales only on GPU metrics, but {cause}"
            remedy = "set engine: keda, or one of gpu-utilization, gpu-memory and tensor-activity"
            place = (*signal.place, "metric" if short else signal.metric)
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL027",
    name="hpa-without-gpu-metric",
    severity=Severity.ERROR,
    summary="A workload has engine: hpa and scales on something other than a GPU metric.",
    help="gitgpu configures Prometheus Adapter with rules for the GPU metrics of pods, and the HorizontalPodAutoscaler "
    "with a metric of type Pods. The adapter can also serve other queries as external metrics (externalRules), but "
    "gitgpu does not write those. KEDA sends a query to Prometheus itself.",
    sources=(
        "https://github.com/kubernetes-sigs/prometheus-adapter/blob/01919d0ef11859bc214e0c8a8bd5368afd9d47f7/docs/config.md",
    ),
    check=_check,
)
