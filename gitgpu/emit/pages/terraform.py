"""The Azure side of a cluster as a Terraform configuration in JSON, with the provider azapi.

The syntax: https://developer.hashicorp.com/terraform/language/syntax/json. The properties are those of the Bicep
modules.
"""

import json
from collections.abc import Mapping
from typing import Any

from gitgpu.emit.azure_cluster import API, TYPE, automatic_cluster
from gitgpu.emit.bicep import Code
from gitgpu.emit.page import Page
from gitgpu.emit.terraform_cluster import Blocks, alert_variables, alerts, settings
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
    """A configuration with the cluster, if AKS Automatic creates it, its settings, node pools and alerts; or ""."""
    found = _blocks(plan) if plan.cluster.delivery.has(TERRAFORM) else {}
    if not found:
        return ""
    # A property named // is a comment. In this language, it is the header of a generated file.
    origin, own = plan.mark.ref, advice(f"{plan.cluster.name}/runbook/{NAME}")
    header = f"{BY} from {origin.kind} {origin.name}. {own} {_ABOUT}"
    document = {"//": header, "terraform": _PROVIDERS, **_variables(plan, found), "resource": found}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _blocks(plan: ClusterPlan) -> Blocks:
    """The resources by type and name."""
    cluster = plan.cluster
    created = automatic_cluster(cluster)
    own = {"cluster": _cluster(cluster, created)} if created else {}
    known = literal(cluster.resource_id) if cluster.resource_id else "${var.cluster_id}"
    parent = "${azapi_resource.cluster.id}" if created else known
    blocks = settings(plan, parent)
    features = [f"azapi_resource_action.{name}" for name in blocks.get("azapi_resource_action", ())]
    waits = {"depends_on": features} if features else {}
    pools = {f"pool_{pool.name}": {**_pool(pool, parent), **waits} for pool in plan.node_pools}
    own |= {**pools, **blocks.pop("azapi_resource", {}), **literal(alerts(plan, _group(cluster)))}
    return {**blocks, **({"azapi_resource": own} if own else {})}


def _variables(plan: ClusterPlan, blocks: Blocks) -> dict[str, Any]:
    """What the spec does not say: IDs of the cluster and of its resource group, and what alerts need."""
    created, own = automatic_cluster(plan.cluster), blocks.get("azapi_resource", {})
    has_alerts = any(name.startswith("gpu_alerts") for name in own)
    text = {"type": "string"}
    variables: dict[str, Any] = {}
    if not plan.cluster.azure:
        variables |= {"resource_group_id": text} if created or has_alerts else {}
        variables |= {} if created else {"cluster_id": text}
    variables |= alert_variables(plan) if has_alerts else {}
    asks = "azapi_resource_action" in blocks and not plan.cluster.azure
    asked: dict[str, Any] = {"data": {"azapi_client_config": {"current": {}}}} if asks else {}
    return {**({"variable": variables} if variables else {}), **asked}


def _group(cluster: Cluster) -> Any:
    """What stands for the ID of the resource group of the cluster."""
    azure = cluster.azure
    if not azure:
        return Code("${var.resource_group_id}")
    return f"/subscriptions/{azure.subscription}/resourceGroups/{azure.group}"


def _cluster(cluster: Cluster, created: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": f"{TYPE}@{API}",
        "parent_id": literal(_group(cluster)),
        "name": literal(created["name"]),
        "location": created["location"],
        "identity": [{"type": created["identity"]["type"]}],
        "body": literal({"sku": created["sku"], "properties": created["properties"]}),
    }


def _pool(pool: NodePoolPlan, parent: str) -> dict[str, Any]:
    """A node pool. AKS allows one change of a cluster at a time, so it has a lock."""
    # As with Bicep, AKS needs a number of nodes for a new pool, and then the autoscaler decides it.
    scaled = not (pool.is_fixed or pool.retires or pool.sizes)
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
    if isinstance(value, Code):
        return value.text
    if isinstance(value, str):
        return value.replace("${", "$${").replace("%{", "%%{")
    if isinstance(value, Mapping):
        return {literal(key): literal(below) for key, below in value.items()}
    return [literal(below) for below in value] if isinstance(value, list | tuple) else value


PAGE = Page(NAME, write)
