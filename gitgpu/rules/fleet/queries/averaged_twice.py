"""A query that is an average, and is divided by the number of replicas again."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.levels import level
from gitgpu.model.metrics.promql import read_query
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import queries

_SUMMABLE = ("avg(...)", "max(...)", "min(...)", "quantile(...)")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that are an average as a whole. SCL020 reports those that return several series."""
    for workload, query, place in queries(inputs):
        what = level(read_query(query), inputs.catalog)
        if what:
            message = f"{what} is divided by the number of replicas again, because target is per replica"
            yield Finding(workload.origin, place, message, _remedy(what))


def _remedy(what: str) -> str:
    if what in _SUMMABLE:
        return f"use sum(...) in place of {what}, or set metric: gpu-utilization in place of query"
    return "query something that grows with the load instead, such as the number of requests that wait or run"


RULE = Rule(
    code="SCL021",
    name="averaged-twice",
    twin="KED020",
    severity=Severity.WARNING,
    summary="The query that a workload scales on is an average, which KEDA divides by the number of replicas again.",
    help="gitgpu writes metricType: AverageValue for a query, so KEDA divides the result by the number of replicas. "
    "The result should grow with the load, but an average does not: with twice the replicas the value per replica is "
    "halved, and the workload stays too small. avg(...) and quantiles of histograms are reported for all metrics, max, "
    "min and quantile for shares of a GPU or a cache.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    facts=("series/*",),
    check=_check,
)
