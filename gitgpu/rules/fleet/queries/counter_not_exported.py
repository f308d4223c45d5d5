"""A query for a DCGM field that the cluster's exporter does not export."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters
from gitgpu.rules.inputs.exported_metrics import ExportGap, find_export_gap
from gitgpu.rules.inputs.scaled_workloads import clusters_of, queries
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries for a DCGM field that no pool of the workload exports, if gitgpu installs every exporter."""
    for workload, query, place in queries(inputs):
        row = inputs.catalog.must("series", "dcgm")
        fields = [selector.metric for selector in selectors(read_query(query))]
        names = [name for name in dict.fromkeys(fields) if name.startswith(row["prefix"])]
        dcgm_fields = inputs.catalog.must("dcgm", "fields")["fields"] if names else ()
        for name in names:
            # SCL017 reports a field that does not exist.
            if name not in dcgm_fields:
                continue
            clusters = clusters_of(inputs, workload)
            for gap, places in group_clusters(clusters, partial(_gap, inputs, workload, name)).items():
                if gap:
                    message = f"gitgpu's exporter does not export {name} on {join_names(places)}: {gap.why}"
                    yield Finding(workload.origin, place, message, gap.remedy)


def _gap(inputs: Inputs, workload: Workload, field: str, cluster: Cluster) -> ExportGap | None:
    """Why no pool of the workload on the cluster exports the field; None if one does, or may."""
    pools = [pool for pool in inputs.pools_of(workload) if cluster.name in pool.clusters]
    # An exporter that gitgpu does not configure may export the field.
    if any(driver_on(cluster, pool) not in ("aks", "operator") for pool in pools):
        return None
    return find_export_gap(field, cluster.stack.metrics, inputs.catalog)


RULE = Rule(
    code="SCL019",
    name="counter-not-exported",
    twin="MON002",
    severity=Severity.WARNING,
    summary="The query that a workload scales on uses a DCGM field that the cluster's exporter does not export.",
    help="An exporter that gitgpu does not install may export the field. gitgpu writes ignoreNullValues: false only "
    "for its own queries: KEDA reads an empty result of this one as 0, and the workload stays at its minimum "
    "replicas.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
