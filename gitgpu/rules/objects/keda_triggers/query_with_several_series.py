"""A trigger whose query returns more than one series."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.promql import AGGREGATIONS, PER_SERIES, SETS, Part, selectors
from gitgpu.objects.monitoring.queries import DCGM, trigger_queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_OF_MANY = (
    *DCGM,
    "vllm:",
    "sglang:",
    "tgi_",
    "nv_inference_",
)  # prefixes of metrics with one series for each GPU, or for each server


def _check(objects: Objects) -> Iterator[Finding]:
    for query in trigger_queries(objects):
        why = _series(query.parts) if query.parts else ""
        if why:
            remedy = "aggregate the query into one series, such as sum(...) or max(...) of the whole query"
            yield Finding(query.item, query.pointer, f"KEDA needs a single series, but {why}", remedy)


def _series(part: Part) -> str:
    """Why the part returns several series; "" if it returns one or that is unknown."""
    if part.kind == "series":
        return _selected(part.selector.metric)
    if part.name in AGGREGATIONS:
        # Without a list of labels the result is one series; which labels `without` leaves is unknown.
        labels = [] if part.without else [label for label in part.by if not _pinned(label, part)]
        return f"'{part.name} by ({', '.join(labels)})' returns one for each {' and '.join(labels)}" if labels else ""
    if not _keeps_series(part):
        return ""
    return next(filter(None, map(_series, part.parts)), "")


def _keeps_series(part: Part) -> bool:
    """Whether the part returns as many series as its operands."""
    if part.kind == "call":
        return part.name in PER_SERIES
    return part.kind == "operation" and part.name not in SETS


def _selected(metric: str) -> str:
    if not metric.startswith(_OF_MANY):
        return ""
    return f"'{metric}' without an aggregation returns one for each {'GPU' if metric.startswith(DCGM) else 'server'}"


def _pinned(label: str, part: Part) -> bool:
    """Whether every selector matches a single value of the label."""
    for selector in selectors(part):
        if not any((match.label, match.operator) == (label, "=") for match in selector.matchers):
            return False
    return True


RULE = Rule(
    code="KED018",
    name="query-with-several-series",
    twin="SCL020",
    severity=Severity.WARNING,
    summary="The query of a prometheus trigger returns a series for each GPU, pod or other label value.",
    help="If the result has more than one element, KEDA reports an error for the trigger, and nothing scales. With a "
    "single GPU or pod it works, so the fault often appears late.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://keda.sh/docs/2.18/scalers/prometheus/",
    ),
    check=_check,
)
