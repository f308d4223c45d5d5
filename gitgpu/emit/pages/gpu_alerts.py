"""The alert rules for Azure managed Prometheus: its rule groups are Azure resources."""

from gitgpu.emit.bicep import Code, bicep
from gitgpu.emit.emitter import Body
from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Alert

HEAD = """\
// Deploy it into the resource group for the rule group, and again after each change:
//     az deployment group create --resource-group my-group --template-file gpu-alerts.bicep \\
//       --parameters {workspace}actionGroups="['<ID of an action group>']"

@description('The ID of the Azure Monitor workspace with the metrics of the cluster.')
param workspace string{default}

@description('The region of the workspace.')
param location string = resourceGroup().location

@description('The IDs of the action groups that are notified of an alert.')
param actionGroups array = []

var actions = [for id in actionGroups: {{ actionGroupId: id }}]

"""
MAX_RULES = 20  # rules that Azure allows in a group
SEVERITIES = {"critical": 0, "warning": 2, "info": 3}  # Azure counts from 0 (critical) to 4 (verbose)


def write(plan: ClusterPlan) -> str:
    """The rules, in as few groups as Azure allows, limited to the metrics of this cluster."""
    if not plan.alerts or plan.cluster.stack.metrics.scrape != "azure-managed":
        return ""
    groups: list[str] = []
    for index in range(0, len(plan.alerts), MAX_RULES):
        number = str(len(groups) + 1) if groups else ""
        groups.append(_group(plan, plan.alerts[index : index + MAX_RULES], number))
    return _head(plan.cluster.stack.metrics.workspace) + "\n".join(groups)


def _head(workspace: str | None) -> str:
    """The parameters; the workspace has a default if the spec names it."""
    if workspace:
        return HEAD.format(workspace="", default=f" = {bicep(workspace)}")
    return HEAD.format(workspace="workspace=<ID of the Azure Monitor workspace> ", default="")


def _group(plan: ClusterPlan, rules: tuple[Alert, ...], number: str) -> str:
    name = plan.cluster.name
    group = {
        "name": f"gitgpu-gpus-{name}{'.' if number else ''}{number}",  # a name of a cluster has no dot
        "location": Code("location"),
        "properties": {
            "description": f"GPUs of {name}, of the fleet {plan.fleet}",
            "scopes": [Code("workspace")],
            "clusterName": plan.cluster.aks_name,
            "interval": "PT1M",
            "rules": [_rule(rule) for rule in rules],
        },
    }
    return f"resource gpus{number} 'Microsoft.AlertsManagement/prometheusRuleGroups@2023-03-01' = {bicep(group)}\n"


def _rule(alert: Alert) -> Body:
    if not alert.severity:
        return {"record": alert.name, "expression": alert.expr}
    wait = {"for": f"PT{alert.wait.upper()}"} if alert.wait else {}  # a duration of ISO 8601
    return {
        "alert": alert.name,
        "expression": alert.expr,
        **wait,
        "severity": SEVERITIES[alert.severity],
        "labels": {"severity": alert.severity},
        "annotations": {"summary": alert.summary, "description": alert.description},
        "actions": Code("actions"),
    }


PAGE = Page("gpu-alerts.bicep", write)
