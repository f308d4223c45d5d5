"""A query that returns several values."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.promql import SEVERAL, is_aggregated, read_query, selectors
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import queries
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that return more than one value, as far as their text shows."""
    for workload, query, place in queries(inputs):
        if fault := _fault(query, inputs.catalog.must("series", "dcgm")["prefix"]):
            message = f"KEDA needs a single value, but the query returns {fault}"
            yield Finding(workload.origin, place, message, "put sum(...) around the whole query")


def _fault(query: str, prefix: str) -> str:
    whole = read_query(query)
    if whole is None:
        return ""
    # topk(1, ...) and bottomk(1, ...) select one.
    if whole.name in SEVERAL and not (whole.name in ("topk", "bottomk") and whole.parts[0].number == 1):
        return f"as many as {whole.name} selects"
    if whole.without:
        return "one for each remaining group"
    if whole.by:
        return f"one for each {join_names(whole.by)}"
    series = selectors(whole)
    # Another metric may have a single series.
    several = series and all(selector.metric.startswith(prefix) for selector in series)
    return "one for each GPU" if several and not is_aggregated(whole) else ""


RULE = Rule(
    code="SCL020",
    name="query-with-several-series",
    twin="KED018",
    severity=Severity.WARNING,
    summary="The query that a workload scales on returns several values.",
    help="KEDA reports an error for a result with more than one element, and the workload keeps its replicas. With "
    "one pod or one GPU it works, so the fault shows only when a second one starts.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    facts=("series/dcgm",),
    check=_check,
)
