"""A percentage compared with a threshold that is a ratio."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.gpu_units import measured_field
from gitgpu.objects.monitoring.queries import trigger_queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    fields = objects.catalog.must("dcgm", "fields")["percentages"]
    for query in trigger_queries(objects):
        limit = _as_number(query.trigger.metadata.get("threshold")) if query.trigger else 0
        name = measured_field(query.parts, fields, sums=True) if 0 < limit < 1 else ""
        if query.trigger and name:
            message = f"{name} ranges from 0 to 100, but the threshold is {limit:g}"
            remedy = f'set the threshold in percent: "{limit * 100:g}"'
            yield Finding(query.item, query.trigger.place("threshold"), message, remedy)


def _as_number(written: str | None) -> float:
    try:
        return float(written or "")
    except ValueError:
        return 0


RULE = Rule(
    code="MON025",
    name="percentage-as-ratio",
    twin="SCL030",
    severity=Severity.WARNING,
    summary="A DCGM utilization, which ranges from 0 to 100, has a threshold below 1, as if it were a ratio.",
    help="DCGM_FI_DEV_GPU_UTIL and similar fields are percentages; the DCGM_FI_PROF_ fields are ratios. With a "
    "threshold of 0.7 the workload scales to its maximum as soon as a GPU is used at all. gitgpu does not report "
    "alerts, because 'below 0.5' can mean an idle GPU.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
