"""A query for a DCGM metric that does not exist."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.dcgm_fields import closest_field
from gitgpu.objects.monitoring.queries import queries, recorded_series
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_OWN = "DCGM_EXP_"  # metrics of the exporter itself; forks have more of them


def _check(objects: Objects) -> Iterator[Finding]:
    recorded = recorded_series(objects)  # what recording rules add
    for query in queries(objects):
        for name in dict.fromkeys(selector.metric for selector in query.of_dcgm):
            metrics = _fields(objects, "exporterFields" if name.startswith(_OWN) else "fields")
            if name in metrics or name in recorded:
                continue
            closest = closest_field(name, metrics, objects.catalog)
            # A fork of the exporter has additional metrics.
            if closest or not name.startswith(_OWN):
                remedy = f"did you mean {closest}?" if closest else "use a field from the list of the DCGM exporter"
                yield Finding(query.item, query.pointer, f"unknown DCGM metric '{name}'", remedy)


def _fields(objects: Objects, key: str) -> frozenset[str]:
    return objects.once_per_run(("dcgm", key), lambda: frozenset(objects.catalog.must("dcgm", "fields")[key]))


RULE = Rule(
    code="MON001",
    name="unknown-dcgm-metric",
    twin="SCL017",
    severity=Severity.ERROR,
    summary="A trigger, alert or adapter rule uses a DCGM metric that does not exist.",
    help="A query for a metric that does not exist is not an error in Prometheus: it returns no data, KEDA reads 0, "
    "and an alert never fires. Some documents show names that DCGM never had.",
    sources=(
        "https://github.com/NVIDIA/DCGM/blob/72fa3feaa67d716a75323a8f47c34ff3ee73f824/dcgmlib/dcgm_fields.h",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
