"""Alert rules and dashboards for Azure's managed services are not objects of the cluster."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

UNREAD = {
    "alerts": "Azure managed Prometheus reads no PrometheusRule",
    "dashboards": "Azure Managed Grafana reads no ConfigMap",
}
REMEDIES = {
    "alerts": "deploy a rule group of the Azure Monitor workspace instead",
    "dashboards": "import a dashboard into Grafana instead",
}
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
    """Clusters that Azure scrapes and that want alert rules or a dashboard."""
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        for key in metrics.watching if metrics.scrape == "azure-managed" else ():
            origin, where = stack_place(inputs, cluster, "metrics", key)
            message = f"{cluster.name} is scraped by Azure, and {UNREAD[key]}"
            yield Finding(origin, where, message, f"write {key}: false on {cluster.name}, and {REMEDIES[key]}")


RULE = Rule(
    code="MET004",
    name="unread-by-azure",
    severity=Severity.ERROR,
    summary="Alert rules or dashboards are wanted on a cluster that Azure managed Prometheus scrapes.",
    help="Dashboards are imported into Azure Managed Grafana. Alert rules are resources of Azure "
    "(Microsoft.AlertsManagement/prometheusRuleGroups) and belong to a resource group and a workspace, which a fleet "
    "does not name. Azure Service Operator can make them from objects of its own.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/essentials/prometheus-rule-groups",
        "https://github.com/Azure/azure-service-operator/issues/4014",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
