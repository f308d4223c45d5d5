"""A query that is an average, and is divided by the number of replicas again."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.levels import level
from gitgpu.model.metrics.promql import read_query
from gitgpu.model.spec.scaling import VALUE
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals

_SUMMABLE = ("avg(...)", "max(...)", "min(...)", "quantile(...)")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that are an average as a whole. SCL020 reports those that return several series."""
    for workload, _, signal in signals(inputs):
        own = signal.query if signal.metric == "query" and signal.metric_type != VALUE else None
        what = level(read_query(own), inputs.catalog) if own else ""
        if what:
            message = f"{what} is divided by the number of replicas again, because target is per replica"
            yield Finding(workload.origin, (*signal.place, "query"), message, _remedy(what, of_jobs=bool(workload.job)))


def _remedy(what: str, *, of_jobs: bool) -> str:
    if of_jobs:  # KEDA divides the work of a ScaledJob in any case
        return "query something that grows with the load instead, such as the number of requests that wait or run"
    if what in _SUMMABLE:
        return f"set metricType: Value, which does not divide it; or use sum(...) in place of {what}"
    return "set metricType: Value, which does not divide it; or query something that grows with the load"


RULE = Rule(
    code="SCL021",
    name="averaged-twice",
    twin="KED020",
    severity=Severity.WARNING,
    summary="The query that a workload scales on is an average, which KEDA divides by the number of replicas again.",
    help="Without metricType, gitgpu writes AverageValue for a query, so KEDA divides the result by the number of "
    "replicas. The result should grow with the load, but an average does not: with twice the replicas the value per "
    "replica is halved, and the workload stays too small. avg(...) and quantiles of histograms are reported for all "
    "metrics, max, min and quantile for shares of a GPU or a cache.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    facts=("series/*",),
    check=_check,
)
