"""Alert rules or dashboards without metrics that are exported and scraped."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule

MANAGED = "managed"  # AKS exports the metrics of these nodes, regardless of the spec
EXPORTED = {"aks", MANAGED, "operator"}  # the drivers with which an exporter is known to run


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The settings alerts and dashboards of clusters without metrics."""
    for cluster in inputs.clusters:
        watching = cluster.stack.metrics.watching
        why, remedy = _why(inputs, cluster) if watching else ("", "")
        for key in watching if why else ():
            origin, where = stack_place(cluster, "metrics", key)
            message = f"{key} has no effect: {why}"
            yield Finding(origin, where, message, f"set {remedy}{key}: false")


def _why(inputs: Inputs, cluster: Cluster) -> tuple[str, str]:
    """Why there are no metrics ("" if there are some), and the first part of the remedy."""
    metrics, pools = cluster.stack.metrics, inputs.pools_on(cluster)
    drivers = {driver_on(cluster, pool) for pool in pools if not pool.windows}
    if not metrics.exporter and MANAGED not in drivers:
        where = stack_with_place(cluster, "metrics", "exporter")
        scraped = " and scrape: prometheus-operator" if metrics.scrape == "none" else ""
        return f"GPU metrics are not exported on {where}", f"exporter: true{scraped}, or "
    if metrics.scrape == "none":
        where = stack_with_place(cluster, "metrics", "scrape")
        return f"GPU metrics are not scraped on {where}", "scrape: prometheus-operator, or "
    why = f"neither gitgpu nor an operator runs an exporter for the GPUs of {cluster.name}"
    # A cluster without pools may get some that have an exporter.
    return ("", "") if drivers & EXPORTED or not pools else (why, "")


RULE = Rule(
    code="MET005",
    name="alerts-without-metrics",
    severity=Severity.ERROR,
    summary="Alert rules or dashboards are enabled, but GPU metrics are not exported or not scraped.",
    help="An alert on a missing series never fires, which looks like a fleet without faults. gitgpu writes alerts and "
    "dashboards only for metrics that are exported and scraped.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/0be9388f8d74394ba2f1b8ec3444140406f1876f/docs/configuration/alerting_rules.md",
    ),
    check=_check,
)
