"""A query for GPU metrics by a label that they do not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.queries._selected_labels import selected_labels
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of, queries
from gitgpu.spelling import join_names

INSTEAD = {"exported_pod": "pod", "exported_namespace": "namespace", "exported_container": "container"}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries for GPU metrics by a label that neither the exporter nor the scrape that gitgpu configures sets."""
    for workload, query, place in queries(inputs):
        labels = _labels_never_set(query, inputs.catalog.must("series", "dcgm"))
        # An exporter or a scrape that gitgpu does not configure may set more labels.
        if labels and all(_exported_by_gitgpu(inputs, workload, cluster) for cluster in clusters_of(inputs, workload)):
            message = f"neither the DCGM exporter nor the scrape sets the label {join_names(labels)}"
            instead = INSTEAD.get(labels[0], "namespace and pod")
            yield Finding(workload.origin, place, message, f"select by {instead}, or let the scrape set the label")


def _labels_never_set(query: str, row: Facts) -> list[str]:
    """The labels in selectors of these metrics that the metrics do not have, without duplicates."""
    return [label for label in selected_labels(query, row) if label not in row["labels"]]


def _exported_by_gitgpu(inputs: Inputs, workload: Workload, cluster: Cluster) -> bool:
    """Whether gitgpu configures the exporter and the scraping for all nodes of the workload on the cluster."""
    drivers = {driver_on(cluster, pool) for pool in inputs.pools_of(workload) if cluster.name in pool.clusters}
    metrics = cluster.stack.metrics
    return drivers <= {"aks", "operator"} and metrics.exporter and metrics.scrape != "none"


RULE = Rule(
    code="SCL018",
    name="label-never-set",
    twin="MON003",
    severity=Severity.WARNING,
    summary="The query that a workload scales on selects GPU metrics by a label that they do not have.",
    help="The DCGM exporter knows pods, not their owners: there is no label for a Deployment. gitgpu scrapes with "
    "honorLabels, so the labels of the pod are namespace, pod and container, without the prefix exported_. A query by "
    "another label returns no data, which KEDA reads as 0.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/rendermetrics/render_metrics.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/const.go",
    ),
    facts=("series/dcgm",),
    check=_check,
)
