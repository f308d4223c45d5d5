"""Azure Service Operator's object for a node pool of AKS, on clusters with the cluster autoscaler.

An autoscaled pool has no count: the operator sends its object to Azure again and again, and would overrule the
autoscaler. AKS wants a count of a pool that is new, so the runbook's node-pools.sh makes those, once. A pool that needs
a later version of Azure's API has no object: one without the field would say that the pool is to be without it.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.nodepools import API, properties
from gitgpu.plan.decision import ClusterPlan, PoolPlan
from gitgpu.plan.metrics import NAMESPACE
from gitgpu.plan.nodes import NodePoolPlan

KIND, VERSION = "ManagedClustersAgentPool", f"containerservice.azure.com/v1api{API.replace('-', '')}"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One object for each pool that the operator can make, on a cluster with the cluster autoscaler."""
    for one in plan.pools:
        if one.node_pool and not one.node_pool.api:
            body = _body(one, one.node_pool, plan.cluster.resource_id or "")
            yield Manifest(plan.cluster.name, Layer.NODES, body, one.pool.origin.mark, rows=one.rows)


def _body(one: PoolPlan, pool: NodePoolPlan, cluster: str) -> Body:
    told = {"vnetSubnetReference": pool.subnet, "capacityReservationGroupReference": pool.reservation}
    elsewhere = {key: {"armId": value} for key, value in told.items() if value}
    return {
        "apiVersion": VERSION,
        "kind": KIND,
        "metadata": {"name": one.name, "namespace": NAMESPACE},
        "spec": {"azureName": pool.name, "owner": {"armId": cluster}, **properties(pool), **elsewhere},
    }


EMITTER = Emitter(KIND, emit)
