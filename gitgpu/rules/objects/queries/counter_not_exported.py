"""A query for a DCGM metric that the exporters do not export."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.monitoring.counter_lists import counter_lists
from gitgpu.objects.monitoring.monitors import exporter_rows
from gitgpu.objects.monitoring.queries import Query, queries, recorded_series
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    queried: list[tuple[Query, str]] = []
    for query in queries(objects):
        queried += ((query, selector.metric) for selector in query.of_dcgm)
    exported = _exported(objects) if queried else None
    if exported is None:
        return
    dcgm_fields = set(objects.catalog.must("dcgm", "fields")["fields"])
    available = exported | recorded_series(objects)
    for query, name in dict.fromkeys(queried):
        if name in dcgm_fields and name not in available:  # MON001 reports an unknown field
            unsure = "" if objects.closed else "; another exporter in the cluster may"
            message = f"the DCGM exporters here do not export {name}{unsure}"
            yield Finding(query.item, query.pointer, message, f"add {name} to the counter list of the exporter")


def _exported(objects: Objects) -> set[str] | None:
    """The fields that all exporters together export; None if there is none, or a list is not in the input."""
    if any(pool.is_of_other_owner for pool in gpu_pools(objects)):
        return None
    lists = list(counter_lists(objects))
    fields = set().union(*(counters.exported_metrics for counters in lists))
    is_known = bool(lists)
    for row in exporter_rows(objects):
        for release in releases(objects, row["chart"]):
            if not release.whole or _lists_elsewhere(release, bool(lists)):
                return None
            is_known = True
            if not _lists_itself(release):
                fields.update(row["defaults"])
    if any(pool.managed for pool in gpu_pools(objects)):
        fields |= set(objects.catalog.must("exporters", "aks-managed")["defaults"])
        is_known = True
    return fields if is_known else None


def _lists_itself(release: Release) -> bool:
    return bool(release.value("customMetrics") or release.value("dcgmExporter", "config", "name"))


def _lists_elsewhere(release: Release, listed: bool) -> bool:
    named = release.value("dcgmExporter", "config", "name") and not release.value("dcgmExporter", "config", "data")
    # Each of them can give the exporter another list.
    mounted = release.value("arguments") or release.value("extraConfigMapVolumes") or release.value("extraEnv")
    return bool(named and not listed) or bool(mounted) or bool(release.value("dcgmExporter", "env"))


RULE = Rule(
    code="MON002",
    name="counter-not-exported",
    twin="SCL019",
    severity=Severity.WARNING,
    summary="A query uses a DCGM metric that is not in the counter list of any exporter.",
    help="The exporter exports only the fields in its list. Many fields, such as SM activity, are off by default, "
    "and a custom list replaces the default. The query returns no data, which KEDA reads as 0.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/values.yaml",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
