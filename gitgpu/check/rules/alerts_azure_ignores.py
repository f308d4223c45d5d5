"""Alert rules for Azure managed Prometheus are not objects of the cluster."""

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
  stack: {metrics: {scrape: azure-managed, alerts: true}}
"""
GOOD = BAD.replace("azure-managed", "prometheus-operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that Azure scrapes and that want alert rules."""
    for cluster in inputs.clusters:
        if cluster.stack.metrics.alerts and cluster.stack.metrics.scrape == "azure-managed":
            origin, where = stack_place(inputs, cluster, "metrics", "alerts")
            message = f"Azure managed Prometheus, which scrapes {cluster.name}, does not read a PrometheusRule"
            remedy = "write alerts: false there, and deploy a rule group of the Azure Monitor workspace instead"
            yield Finding(origin, where, message, remedy)


RULE = Rule(
    code="MET004",
    name="alerts-azure-ignores",
    severity=Severity.ERROR,
    summary="Alert rules are wanted on a cluster that Azure managed Prometheus scrapes.",
    help="Its rules are resources of Azure (Microsoft.AlertsManagement/prometheusRuleGroups) and belong to a resource "
    "group and a workspace, which a fleet does not name. Azure Service Operator can make them from objects of its own.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/essentials/prometheus-rule-groups",
        "https://github.com/Azure/azure-service-operator/issues/4014",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
