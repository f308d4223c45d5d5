"""An Azure Monitor workbook with the queries about GPUs."""

from shlex import quote

from gitgpu.emit.bicep import Code, bicep
from gitgpu.emit.emitter import Body
from gitgpu.emit.page import Page
from gitgpu.model.syntax.resource_id import ResourceId
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Query

HEAD = """\
// Enable Container insights for the cluster first:
//     az aks enable-addons --addons monitoring {cluster}
// Deploy it into the resource group for the workbook, and again after each change:
//     az deployment group create --resource-group my-group --template-file gpu-workbook.bicep \\
//       --parameters workspace=<ID of the Log Analytics workspace of Container insights>

@description('The ID of the Log Analytics workspace that Container insights writes to.')
param workspace string

@description('The region of the workbook.')
param location string = resourceGroup().location

"""
RESOURCE = "resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = "
SPAN = {"durationMs": 86_400_000}  # a day, by default
SPANS = [{"durationMs": hours * 3_600_000} for hours in (1, 4, 24, 168, 720)]  # from an hour to 30 days


def write(plan: ClusterPlan) -> str:
    """One workbook for this cluster, named after the cluster and its resource group."""
    if not plan.insights:
        return ""
    name = plan.cluster.name
    items = [_time(), *(_item(index, query) for index, query in enumerate(plan.insights.queries))]
    workbook = {
        "name": Code(f"guid(resourceGroup().id, {bicep('gitgpu-' + name)})"),
        "location": Code("location"),
        "kind": "shared",
        "properties": {
            "displayName": f"GPUs of {name}",
            "category": "workbook",
            "sourceId": Code("workspace"),
            "version": "Notebook/1.0",
            "serializedData": Code("string(content)"),
        },
    }
    content = bicep({"version": "Notebook/1.0", "items": items, "fallbackResourceIds": [Code("workspace")]})
    head = HEAD.format(cluster=_cluster(plan.cluster.azure))
    return f"{head}var content = {content}\n\n{RESOURCE}{bicep(workbook)}\n"


def _cluster(azure: ResourceId | None) -> str:
    """The options that name the cluster for `az aks`; placeholders if the spec does not contain its resource ID."""
    if azure is None:
        return "--resource-group my-group --name my-cluster"
    return f"--subscription {azure.subscription} --resource-group {quote(azure.group)} --name {azure.name}"


def _time() -> Body:
    parameter = {
        "version": "KqlParameterItem/1.0",
        "name": "TimeRange",
        "label": "Time range",
        "type": 4,  # a range of time
        "isRequired": True,
        "value": SPAN,
        "typeSettings": {"selectableValues": SPANS},
    }
    return {
        "type": 9,  # parameters
        "name": "time",
        "content": {"version": "KqlParameterItem/1.0", "style": "pills", "queryType": 0, "parameters": [parameter]},
    }


def _item(index: int, query: Query) -> Body:
    return {
        "type": 3,  # a query
        "name": f"query-{index + 1}",
        "content": {
            "version": "KqlItem/1.0",
            "title": query.title,
            "query": query.kql,
            "size": 0,
            "timeContextFromParameter": "TimeRange",
            "queryType": 0,
            "resourceType": "microsoft.operationalinsights/workspaces",
            "visualization": query.chart,
        },
    }


PAGE = Page("gpu-workbook.bicep", write)
