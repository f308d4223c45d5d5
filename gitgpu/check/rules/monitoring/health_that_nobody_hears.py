"""Alerts about health need a Prometheus."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {health: npd, metrics: {scrape: none}}
"""
GOOD = BAD.replace("scrape: none", "scrape: prometheus-operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with health whose metrics nobody scrapes."""
    for cluster in inputs.clusters:
        if cluster.stack.health == "npd" and cluster.stack.metrics.scrape == "none":
            origin, where = stack_place(inputs, cluster, "health")
            message = f"nobody hears when GPUs of {cluster.name} fail: without a scrape there are no alerts"
            yield Finding(origin, where, message, "write metrics.scrape: prometheus-operator, or azure-managed")


RULE = Rule(
    code="HLT002",
    name="health-that-nobody-hears",
    severity=Severity.WARNING,
    summary="stack.health is asked for where nothing is scraped.",
    help="The conditions are set on the nodes and the runbook lists them, but no node is cordoned and nobody is told: "
    "node-problem-detector only reports.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-health-monitoring.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
