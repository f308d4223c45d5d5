"""An AKS node pool with the names of Azure's API, for Azure Service Operator and for Bicep."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.node.places import agent_pool_places
from gitgpu.emit.node.pool_annotations import pool_annotations
from gitgpu.model.fleet import Cluster
from gitgpu.model.names.groups import CONTAINER_SERVICE_GROUP
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.syntax.resource_id import resource_id
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.fields.agent_pool import properties, resources
from gitgpu.plan.fields.references import with_references


def node_pool_manifests(plan: ClusterPlan, *, beyond: bool) -> Iterator[Manifest]:
    """The pools as objects of Azure Service Operator: those it can create, or with `beyond` those it cannot."""
    for pool in plan.pools:
        if pool.node_pool and pool.node_pool.by_operator is not beyond:
            body = _body(pool, pool.node_pool, plan.cluster)
            manifest = Manifest(plan.cluster.name, Layer.NODES, body, pool.pool.origin.mark, rows=pool.rows)
            yield manifest._replace(places=agent_pool_places(pool))


def kinds_beyond(plan: ClusterPlan) -> frozenset[tuple[str, str]]:
    """The kinds, as (group, kind), of objects that the cluster has and that are not emitted."""
    by_commands = any(not pool.by_operator for pool in plan.node_pools)
    return frozenset((MANAGED_CLUSTERS_AGENT_POOL,)) if by_commands else frozenset()


def cluster_options(cluster: Cluster) -> str:
    """The options with which `az aks nodepool` commands name the cluster."""
    subscription, group, name = resource_id(cluster.resource_id or "")
    return f"--subscription {subscription} --resource-group {group} --cluster-name {name}"


def _body(planned: PoolPlan, pool: NodePoolPlan, cluster: Cluster) -> Body:
    aso = cluster.stack.aso
    written = {**properties(pool), **resources(pool)}
    fields = with_references({name: value for name, value in written.items() if name not in pool.omitted})
    return {
        "apiVersion": f"{CONTAINER_SERVICE_GROUP}/{aso.api_version}",
        "kind": MANAGED_CLUSTERS_AGENT_POOL.kind,
        "metadata": {"name": planned.name, "namespace": aso.namespace, **pool_annotations(planned)},
        "spec": {"azureName": pool.name, "owner": {"armId": cluster.resource_id or ""}, **fields},
    }
