"""The Azure side of a cluster as a Terraform configuration in JSON, with the provider azapi.

The syntax: https://developer.hashicorp.com/terraform/language/syntax/json. The properties are those of the Bicep
modules.
"""

import json
from collections.abc import Mapping
from typing import Any

from gitgpu.emit.azure_cluster import API, TYPE, automatic_cluster
from gitgpu.emit.page import Page
from gitgpu.load.generated import BY, advice
from gitgpu.model.fleet import Cluster
from gitgpu.model.spec.delivery import TERRAFORM
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.fields.agent_pool import properties, resources

NAME = "cluster.tf.json"
_ABOUT = (
    "Copy the file into a Terraform configuration, or use this folder as a module. Import what exists already, with: "
    "terraform import azapi_resource.pool_NAME 'ID?api-version=API'"
)
_PROVIDERS = {"required_providers": {"azapi": {"source": "Azure/azapi", "version": ">= 2.0"}}}


def write(plan: ClusterPlan) -> str:
    """A configuration with the cluster, if AKS Automatic creates it, and its node pools; "" without any."""
    found = _resources(plan) if plan.cluster.delivery.has(TERRAFORM) else {}
    if not found:
        return ""
    # A property named // is a comment. In this language, it is the header of a generated file.
    origin, own = plan.mark.ref, advice(f"{plan.cluster.name}/runbook/{NAME}")
    header = f"{BY} from {origin.kind} {origin.name}. {own} {_ABOUT}"
    document = {"//": header, "terraform": _PROVIDERS, **_variables(plan), "resource": {"azapi_resource": found}}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _resources(plan: ClusterPlan) -> dict[str, Any]:
    cluster = plan.cluster
    created = automatic_cluster(cluster)
    found = {"cluster": _cluster(cluster, created)} if created else {}
    parent = "${azapi_resource.cluster.id}" if created else literal(cluster.resource_id or "")
    return {**found, **{f"pool_{pool.name}": _pool(pool, parent) for pool in plan.node_pools}}


def _variables(plan: ClusterPlan) -> dict[str, Any]:
    """The resource group of a cluster that is created, if its resource ID is not known."""
    if plan.cluster.azure or not automatic_cluster(plan.cluster):
        return {}
    return {"variable": {"resource_group_id": {"type": "string"}}}


def _cluster(cluster: Cluster, created: Mapping[str, Any]) -> dict[str, Any]:
    azure = cluster.azure
    group = f"/subscriptions/{azure.subscription}/resourceGroups/{azure.group}" if azure else ""
    return {
        "type": f"{TYPE}@{API}",
        "parent_id": literal(group) if group else "${var.resource_group_id}",
        "name": literal(created["name"]),
        "location": created["location"],
        "identity": [{"type": created["identity"]["type"]}],
        "body": literal({"sku": created["sku"], "properties": created["properties"]}),
    }


def _pool(pool: NodePoolPlan, parent: str) -> dict[str, Any]:
    """A node pool. AKS allows one change of a cluster at a time, so it has a lock."""
    # As with Bicep, AKS needs a number of nodes for a new pool, and then the autoscaler decides it.
    scaled = not (pool.fixed or pool.retires or pool.sizes)
    count = {"count": pool.minimum} if scaled else {}
    body = {"properties": {**properties(pool), **count, **resources(pool)}}
    ignored = {"lifecycle": {"ignore_changes": ["body.properties.count"]}} if scaled else {}
    return {
        "type": f"{TYPE}/agentPools@{pool.api}",
        "parent_id": parent,
        "name": pool.name,
        "body": literal(body),
        "locks": [parent],
        **ignored,
    }


def literal(value: Any) -> Any:
    """The value without templates: Terraform reads ${ and %{ in every text, also in the keys of a mapping."""
    if isinstance(value, str):
        return value.replace("${", "$${").replace("%{", "%%{")
    if isinstance(value, Mapping):
        return {literal(key): literal(below) for key, below in value.items()}
    return [literal(below) for below in value] if isinstance(value, list | tuple) else value


PAGE = Page(NAME, write)
