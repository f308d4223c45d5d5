"""A query with a function for counters around a gauge."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.gauges import gauges, misread_gauges
from gitgpu.model.metrics.promql import read_query
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import queries


def _check(inputs: Inputs) -> Iterator[Finding]:
    all_queries = tuple(queries(inputs))
    known = gauges(inputs.catalog) if all_queries else frozenset()
    for workload, query, place in all_queries:
        for function, metric, instead in dict.fromkeys(misread_gauges(read_query(query), known)):
            message = f"{metric} is a gauge, and {function}(...) reads every decrease as a restart of a counter"
            remedy = f"use avg_over_time(...) for its level, or {instead}(...) for its change"
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL073",
    name="rate-of-gauge",
    twin="MON092",
    severity=Severity.WARNING,
    summary="The query that a workload scales on uses rate, irate or increase on a gauge.",
    help="These functions are for counters, which only grow: they take a lower value for a restart and add it as a "
    "whole. The result has nothing to do with the load.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/2d9efc5a8a8c419248233e6223f9c526add0908d/docs/querying/functions.md",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    check=_check,
)
