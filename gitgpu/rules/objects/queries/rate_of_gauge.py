"""A function for counters around a metric that is a gauge."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.gauges import gauges, misread_gauges
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    known = objects.once_per_run("gauges", lambda: gauges(objects.catalog))
    for query in queries(objects):
        for function, metric, instead in dict.fromkeys(misread_gauges(query.parts, known)):
            message = f"{metric} is a gauge, and {function}(...) reads every decrease as a restart of a counter"
            remedy = f"use {instead}(...) for its change, changes(...) to count changes, or avg_over_time(...)"
            yield Finding(query.item, query.pointer, message, remedy)


RULE = Rule(
    code="MON092",
    name="rate-of-gauge",
    twin="SCL073",
    severity=Severity.WARNING,
    summary="A query uses rate, irate or increase on a gauge, such as DCGM_FI_DEV_XID_ERRORS or DCGM_FI_DEV_GPU_UTIL.",
    help="These functions are for counters, which only grow: they take a lower value for a restart and add it as a "
    "whole. DCGM_FI_DEV_XID_ERRORS has the number of the last XID error, and not how many there were; the exporter "
    "counts them in DCGM_EXP_XID_ERRORS_COUNT.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/2d9efc5a8a8c419248233e6223f9c526add0908d/docs/querying/functions.md",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    check=_check,
)
