"""Alert rules and dashboards need metrics that somebody exports and scrapes."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

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
    """Clusters that want alerts or dashboards of metrics that gitgpu has nobody export or scrape."""
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        for key in metrics.watching if metrics.scrape == "none" or not metrics.exporter else ():
            origin, where = stack_place(inputs, cluster, "metrics", key)
            why = "nothing scrapes" if metrics.exporter else "nothing exports"
            remedy = "write scrape: prometheus-operator" if metrics.exporter else "write exporter: true"
            message = f"there would be no {key}: {why} the GPU metrics of {cluster.name}"
            yield Finding(origin, where, message, f"{remedy}, or {key}: false")


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
