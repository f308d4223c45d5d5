"""The namespaces that the deployment safeguards of a cluster exclude, in each format that has them."""

import json
from typing import Any

from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.read import inventory
from gitgpu.load.text import Text
from tests.helping.cases import for_each

GROUP = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers"
ID = f"{GROUP}/Microsoft.ContainerService/managedClusters/aks"
TYPE = "Microsoft.ContainerService/deploymentSafeguards"


def resource(excluded: Any = ("gpu-resources",), **other: Any) -> dict[str, Any]:
    """As `az aks safeguards show` and Azure's REST API print it."""
    properties = {"level": "Enforce", "excludedNamespaces": excluded, "systemExcludedNamespaces": ["kube-system"]}
    return {"id": f"{ID}/providers/{TYPE}/default", "name": "default", "type": TYPE, "properties": properties, **other}


def cluster(**properties: Any) -> dict[str, Any]:
    kind = {"type": "Microsoft.ContainerService/ManagedClusters", "location": "swedencentral"}
    return {"id": ID, "name": "aks", **kind, "sku": {"name": "Automatic"}, **properties}


def template(scope: str) -> dict[str, Any]:
    """As Bicep builds it."""
    own = {"type": TYPE, "apiVersion": "2025-07-01", "scope": scope, "name": "default"}
    aks = {"type": "Microsoft.ContainerService/managedClusters", "name": "aks", "sku": {"name": "Automatic"}}
    resources = [aks, {**own, "properties": resource()["properties"]}]
    schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
    return {"$schema": schema, "contentVersion": "1.0.0.0", "resources": resources}


def terraform(kind: str, **values: Any) -> dict[str, Any]:
    aks = {"address": "a.b", "type": "azurerm_kubernetes_automatic_cluster", "values": {"name": "aks", "id": ID}}
    entry = {"address": f"{kind}.own", "type": kind, "values": values}
    return {"format_version": "1.0", "values": {"root_module": {"resources": [aks, entry]}}}


AZURERM = "azurerm_kubernetes_cluster_deployment_safeguard"


def operator(**spec: Any) -> dict[str, Any]:
    """A ManagedCluster of Azure Service Operator, of a preview version of the API."""
    head = {"apiVersion": "containerservice.azure.com/v1api20240402preview", "kind": "ManagedCluster"}
    return {**head, "metadata": {"name": "aks"}, "spec": {"location": "swedencentral", **spec}}


@for_each(
    ("documents", "excluded"),
    [
        ([cluster(), resource()], ("gpu-resources",)),
        ([[cluster()], [resource()]], ("gpu-resources",)),
        ([cluster(), resource(["b", "a", "b"])], ("a", "b")),
        ([cluster(), resource(None)], ()),
        ([cluster(), resource(type=TYPE.lower())], ("gpu-resources",)),
        ([cluster(safeguardsProfile={"level": "Enforcement", "excludedNamespaces": ["x"]})], ("x",)),
        ([cluster(safeguardsProfile={"level": "Enforcement", "excludedNamespaces": None})], ()),
        ([cluster(safeguardsProfile=None)], None),
        ([cluster()], None),
        ([template("[format('Microsoft.ContainerService/managedClusters/{0}', 'aks')]")], ("gpu-resources",)),
        ([template("[resourceId('Microsoft.ContainerService/managedClusters', 'aks')]")], ("gpu-resources",)),
        ([terraform(AZURERM, kubernetes_cluster_id=ID, excluded_namespaces=["x"])], ("x",)),
        ([terraform(AZURERM, excluded_namespaces=["x"])], ("x",)),
        ([terraform(AZURERM, kubernetes_cluster_id=ID, level="Enforce")], ()),
        ([terraform("azapi_resource", type=f"{TYPE}@2025-07-01", parent_id=ID, body=resource())], ("gpu-resources",)),
        ([terraform("azapi_resource", type=f"{TYPE}@2025-07-01", parent_id=ID, body=json.dumps(resource()))],
         ("gpu-resources",)),
        ([operator(safeguardsProfile={"level": "Enforcement", "excludedNamespaces": ["x"]})], ("x",)),
        ([operator()], None),
    ],
    ids=["show", "list", "sorted, once", "none", "in lower case", "of the cluster", "none of the cluster",
         "null", "unknown", "ARM, Bicep", "ARM, resourceId", "azurerm", "azurerm, planned", "azurerm, none", "azapi",
         "azapi 1", "Azure Service Operator", "Azure Service Operator, unknown"],
)  # fmt: skip
def test_excluded_namespaces(documents: list[Any], excluded: tuple[str, ...] | None) -> None:
    texts = [Text(f"{number}.json", json.dumps(each), "") for number, each in enumerate(documents)]
    read = inventory(texts, ImportOptions())
    [only] = read.clusters
    assert only.name == "aks"
    assert only.azure.excluded == excluded
    assert not read.skipped


def test_safeguards_of_an_unknown_cluster_are_reported() -> None:
    values = terraform(AZURERM, excluded_namespaces=["x"])
    values["values"]["root_module"]["resources"].pop(0)
    read = inventory([Text("a.json", json.dumps(values), "")], ImportOptions())
    assert [entry.reason for entry in read.skipped] == ["the input does not contain the cluster of these safeguards"]
