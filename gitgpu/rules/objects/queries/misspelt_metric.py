"""A query for a metric of a model server or exporter with the wrong separator."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.metric_names import intended_metric, known_names
from gitgpu.objects.monitoring.monitors import chart_monitors, endpoints
from gitgpu.objects.monitoring.queries import queries, recorded_series
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    known = objects.once_per_run("metric names", lambda: known_names(objects.catalog))
    own = recorded_series(objects)
    for query in queries(objects):
        for name in dict.fromkeys(selector.metric for selector in query.selectors):
            meant = intended_metric(name, known) if name not in own else ""
            if meant and not _renames_metrics(objects):
                message = f"'{name}' is not the name of the metric, which is '{meant}'"
                remedy = f"use {meant}, unless something outside these files renames the metric"
                yield Finding(query.item, query.pointer, message, remedy)


def _renames_metrics(objects: Objects) -> bool:
    """Whether a monitor changes names of metrics."""
    monitors = [endpoint.body for endpoint in endpoints(objects)]
    monitors += (settings for _, _, settings in chart_monitors(objects))
    for settings in monitors:
        for relabeling in list_at(settings, "metricRelabelings"):
            if reach(relabeling, "targetLabel") == "__name__":
                return True
    return False


RULE = Rule(
    code="MON091",
    name="misspelt-metric",
    twin="SCL072",
    severity=Severity.WARNING,
    summary="A query uses the name of a vLLM, SGLang, TGI, Triton, Ray or DCGM metric with a different separator or "
    "case.",
    help="vLLM and SGLang write a colon after their name (vllm:num_requests_waiting), the others underscores only. A "
    "query for a name that does not exist returns no data, which KEDA reads as 0. OpenTelemetry collectors and "
    "relabelings can rename metrics.",
    sources=(
        "https://github.com/vllm-project/vllm/blob/005a810bc40faa25b8870fbc8559c3462581eee3/vllm/v1/metrics/loggers.py",
        "https://github.com/sgl-project/sglang/blob/40ef116f011cf1599811af1089ddf00971092bcf/docs/references/production_metrics.md",
        "https://github.com/huggingface/text-generation-inference/blob/53fdbe617d4f3cc358842ad96914393ad6b6e4ca/docs/source/reference/metrics.md",
        "https://github.com/triton-inference-server/server/blob/dcc9123c8d7ebfc3061bb50309aa8dc3f8e78754/docs/user_guide/metrics.md",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
