"""A query for a metric of a model server with the wrong separator."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.metric_names import intended_metric, known_names
from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import queries


def _check(inputs: Inputs) -> Iterator[Finding]:
    found = list(queries(inputs))
    known = known_names(inputs.catalog) if found else {}  # they are many: most fleets have no query of their own
    for workload, query, place in found:
        for name in dict.fromkeys(selector.metric for selector in selectors(read_query(query))):
            if meant := intended_metric(name, known):
                message = f"'{name}' is not the name of the metric, which is '{meant}'"
                remedy = f"use {meant}, unless something outside the fleet renames the metric"
                yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL072",
    name="misspelt-metric",
    twin="MON091",
    severity=Severity.WARNING,
    summary="The query that a workload scales on uses the name of a known metric with a different separator or case.",
    help="vLLM and SGLang write a colon after their name (vllm:num_requests_waiting), TGI, Triton, Ray and DCGM "
    "underscores only. KEDA reads an empty query result as 0. OpenTelemetry collectors and relabelings can rename "
    "metrics.",
    sources=(
        "https://github.com/vllm-project/vllm/blob/005a810bc40faa25b8870fbc8559c3462581eee3/vllm/v1/metrics/loggers.py",
        "https://github.com/huggingface/text-generation-inference/blob/53fdbe617d4f3cc358842ad96914393ad6b6e4ca/docs/source/reference/metrics.md",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
