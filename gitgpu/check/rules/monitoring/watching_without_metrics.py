"""Alert rules and dashboards need metrics that somebody exports and scrapes."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_place, stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs, driver_on

MANAGED = "managed"  # of these nodes AKS exports the metrics, whatever the spec says
EXPORTED = {"aks", MANAGED, "operator"}  # the drivers beside which an exporter is known
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {scrape: none, alerts: true}}
"""
GOOD = BAD.replace("none", "prometheus-operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each wish of a cluster for alerts or dashboards that would be about nothing."""
    for cluster in inputs.clusters:
        why, remedy = _why(inputs, cluster)
        for key in cluster.stack.metrics.watching if why else ():
            origin, where = stack_place(inputs, cluster, "metrics", key)
            message = f"there would be no {key}: {why}"
            yield Finding(origin, where, message, f"write {remedy}{key}: false")


def _why(inputs: Inputs, cluster: Cluster) -> tuple[str, str]:
    """Why there are no metrics ("" where there are some), and what else would help."""
    metrics, pools = cluster.stack.metrics, inputs.pools_on(cluster)
    drivers = {driver_on(cluster, pool) for pool in pools if not pool.windows}
    if not metrics.exporter and MANAGED not in drivers:
        where = stack_with_place(inputs, cluster, "metrics", "exporter")
        return f"nothing exports the GPU metrics of {where}", "exporter: true, or "
    if metrics.scrape == "none":
        where = stack_with_place(inputs, cluster, "metrics", "scrape")
        return f"nothing scrapes the GPU metrics of {where}", "scrape: prometheus-operator, or "
    why = f"no exporter of gitgpu's or of a GPU operator has the GPU metrics of {cluster.name}"
    return ("", "") if drivers & EXPORTED or not pools else (why, "")


RULE = Rule(
    code="MET005",
    name="watching-without-metrics",
    severity=Severity.ERROR,
    summary="Alert rules or dashboards are wanted where GPU metrics are not exported or not scraped.",
    help="An alert on a series that nobody has never fires, and looks like a fleet without faults. gitgpu shows "
    "and watches only what it has exported and scraped.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/0be9388f8d74394ba2f1b8ec3444140406f1876f/docs/configuration/alerting_rules.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
