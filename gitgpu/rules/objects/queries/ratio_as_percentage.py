"""A ratio compared with a percentage."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.promql import Part, comparison, operators
from gitgpu.objects.monitoring.queries import Query, rule_queries, trigger_queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_MAX_GPUS = 16  # the most GPUs of a node: the sum of a ratio over the GPUs of a pod is not larger
_SUMS = ("sum", "count", "sum_over_time", "count_over_time")  # these of a ratio can be above 1


def _check(objects: Objects) -> Iterator[Finding]:
    for query in (*trigger_queries(objects), *rule_queries(objects)):
        limit = _limit(query)
        if limit is None or limit[2] <= _MAX_GPUS or not _is_unscaled(query, limit[1]):
            continue
        names = {selector.metric for selector in query.selectors}
        if names and names <= set(objects.catalog.must("dcgm", "fields")["ratios"]):
            message = f"{min(names)} ranges from 0 to 1, but is compared with {limit[2]:g}"
            yield Finding(
                query.item,
                limit[0],
                message,
                "set the limit as a ratio, such as 0.7 for 70%, or multiply the query by 100",
            )


def _limit(query: Query) -> tuple[Pointer, Part, float] | None:
    if query.parts is None:
        return None
    if query.trigger is None:
        compared = comparison(query.parts)
        return (query.pointer, *compared) if compared else None
    try:
        limit = float(query.trigger.metadata.get("threshold") or "")
    except ValueError:
        return None
    return query.trigger.place("threshold"), query.parts, limit


def _is_unscaled(query: Query, compared: Part) -> bool:
    """Whether the ratio is unchanged, and not summed over more than one pod."""
    summed = any(part.name in _SUMS for part in compared.walk())
    # KEDA divides such a result by the replicas: what is left is the sum of one pod.
    divided = query.trigger is not None and (query.trigger.body.get("metricType") or "AverageValue") == "AverageValue"
    return operators(compared).isdisjoint(("*", "/", "+")) and (divided or not summed)


RULE = Rule(
    code="MON015",
    name="ratio-as-percentage",
    twin="SCL031",
    severity=Severity.WARNING,
    summary="A DCGM profiling metric, which ranges from 0 to 1, is compared with a percentage.",
    help="DCGM_FI_DEV_GPU_UTIL is a percentage; the DCGM_FI_PROF_ fields for activity and occupancy are ratios. A "
    "threshold of 70 is never reached, so the workload never scales and the alert never fires.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/feature-overview.html",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
