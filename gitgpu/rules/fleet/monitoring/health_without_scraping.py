"""GPU health checks on a cluster whose metrics are not scraped, so there are no alerts."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with health whose metrics are not scraped."""
    for cluster in inputs.clusters:
        if cluster.stack.health == "npd" and cluster.stack.metrics.scrape == "none":
            origin, where = stack_place(cluster, "health")
            message = f"there are no alerts when GPUs of {cluster.name} fail: its metrics are not scraped"
            yield Finding(origin, where, message, "set metrics.scrape: prometheus-operator, or azure-managed")


RULE = Rule(
    code="HLT002",
    name="health-without-scraping",
    severity=Severity.WARNING,
    summary="stack.health is enabled, but no metrics are scraped.",
    help="node-problem-detector sets the conditions on the nodes, and the runbook lists them. It does not cordon nodes "
    "and does not alert: alerts need a Prometheus.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-health-monitoring.md",
    ),
    check=_check,
)
