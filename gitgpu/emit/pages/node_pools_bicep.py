"""The node pools of a cluster as a Bicep module."""

from collections.abc import Iterator
from shlex import quote
from typing import Any

from gitgpu.emit.azure_cluster import TYPE
from gitgpu.emit.bicep import Code, bicep
from gitgpu.emit.page import Page
from gitgpu.model.aks_api import OLDEST_API
from gitgpu.model.spec.delivery import BICEP
from gitgpu.model.syntax.resource_id import resource_id
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.fields.agent_pool import properties, resources

HEAD = """\
// The node pools of this cluster, for use without Azure Service Operator. Deploy them into its resource group:
//     az deployment group create --subscription {subscription} \\
//       --resource-group {group} --template-file node-pools.bicep
// AKS requires an initial number of nodes for a new pool. Once the autoscaled pools exist, deploy with
// `--parameters create=false`, or they are scaled back to that number.
param create bool = true
"""


def write(plan: ClusterPlan) -> str:
    """A module; "" on a cluster without node pools, and if they have another form."""
    return "\n".join(_lines(plan)) if plan.node_pools and plan.cluster.delivery.has(BICEP) else ""


def _lines(plan: ClusterPlan) -> Iterator[str]:
    subscription, group, cluster = resource_id(plan.cluster.resource_id or "")
    name = bicep(cluster)
    yield HEAD.format(subscription=subscription, group=quote(group))
    yield f"resource cluster '{TYPE}@{OLDEST_API}' existing = {{\n  name: {name}\n}}"
    before = ""
    for pool in plan.node_pools:
        symbol = f"pool_{pool.name}"
        yield f"\nresource {symbol} '{TYPE}/agentPools@{pool.api}' = {bicep(_resource(pool, before))}"
        before = symbol
    yield ""


def _resource(pool: NodePoolPlan, before: str) -> dict[str, Any]:
    """Each pool depends on the one before it, because AKS allows one change of a cluster at a time."""
    count = {} if pool.is_fixed or pool.retires or pool.sizes else {"count": Code(f"create ? {pool.minimum} : null")}
    after = {"dependsOn": [Code(before)]} if before else {}
    body = {
        "parent": Code("cluster"),
        "name": pool.name,
        "properties": {**properties(pool), **count, **resources(pool)},
    }
    return {**body, **after}


PAGE = Page("node-pools.bicep", write)
