"""A query without metric: query, or metric: query without a query."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with only one of the two."""
    for workload, _, signal in signals(inputs):
        # A trigger of Azure has neither.
        if signal.in_azure or (signal.metric == "query") is (signal.query is not None):
            continue
        if signal.query is None:
            message = "metric: query needs a query, but query is missing"
            remedy = "set query to PromQL that returns one value, or use metric: gpu-utilization"
        else:
            message = f"the query is ignored, because the metric is {signal.metric}"
            remedy = "set metric: query, or remove the query"
        yield Finding(workload.origin, (*signal.place, "query" if signal.query else "metric"), message, remedy)


RULE = Rule(
    code="SCL003",
    name="query-without-metric-query",
    severity=Severity.ERROR,
    summary="A workload has a query without metric: query, or metric: query without a query.",
    help="With metric: query, a workload scales on its own query instead of one of gitgpu's GPU metrics. If only one "
    "of the two is set, it is unclear what the workload scales on.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
)
