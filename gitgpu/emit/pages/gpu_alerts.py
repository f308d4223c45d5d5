"""The alert rules for Azure managed Prometheus: its rule groups are Azure resources."""

from gitgpu.emit.alert_groups import TYPE, References, alert_groups
from gitgpu.emit.bicep import Code, bicep
from gitgpu.emit.page import Page
from gitgpu.model.spec.delivery import TERRAFORM
from gitgpu.plan.decided.cluster import ClusterPlan

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
_REFERENCES = References(Code("location"), Code("workspace"), Code("actions"))


def write(plan: ClusterPlan) -> str:
    """The groups; "" without any, and if they are in the Terraform configuration."""
    if plan.cluster.delivery.azure == TERRAFORM:
        return ""
    groups = [
        f"resource gpus{group.number} '{TYPE}' = {bicep(group.body)}\n" for group in alert_groups(plan, _REFERENCES)
    ]
    return _head(plan.cluster.stack.metrics.workspace) + "\n".join(groups) if groups else ""


def _head(workspace: str | None) -> str:
    """The parameters; the workspace has a default if the spec names it."""
    if workspace:
        return HEAD.format(workspace="", default=f" = {bicep(workspace)}")
    return HEAD.format(workspace="workspace=<ID of the Azure Monitor workspace> ", default="")


PAGE = Page("gpu-alerts.bicep", write)
