"""A node pool of AKS in the words of Azure's API, for Azure Service Operator and for Bicep."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.fleet import Cluster
from gitgpu.model.resource_id import resource_id
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.metrics import NAMESPACE

API = "2025-08-01"  # the version of Azure's API that Azure Service Operator 2.16 brings
KIND, VERSION = "ManagedClustersAgentPool", f"containerservice.azure.com/v1api{API.replace('-', '')}"


def made(plan: ClusterPlan, *, beyond: bool) -> Iterator[Manifest]:
    """The pools as objects of Azure Service Operator: those that it can make, or those that only commands can."""
    for one in plan.pools:
        if one.node_pool and bool(one.node_pool.api) is beyond:
            body = _body(one, one.node_pool, plan.cluster.resource_id or "")
            yield Manifest(plan.cluster.name, Layer.NODES, body, one.pool.origin.mark, rows=one.rows)


def cluster_options(cluster: Cluster) -> str:
    """How the commands of `az aks nodepool` name the cluster."""
    subscription, group, name = resource_id(cluster.resource_id or "")
    return f"--subscription {subscription} --resource-group {group} --cluster-name {name}"


def properties(one: NodePoolPlan) -> Body:
    """The properties of the pool, without the count of an autoscaled one: that is the autoscaler's to say."""
    wanted: Body = {
        "mode": "User",
        "vmSize": one.size,
        **_system(one),
        **_count(one),
        **_spot(one),
        "gpuProfile": dict(one.gpu),
        "gpuInstanceProfile": one.mig,
        "availabilityZones": list(one.zones),
        "maxPods": one.max_pods,
        "kubeletConfig": dict(one.kubelet),
        "nodeLabels": dict(one.labels),
        "nodeTaints": list(one.taints),
        "tags": dict(one.tags),
    }
    return {key: value for key, value in wanted.items() if value not in (None, {}, [])}


def _body(one: PoolPlan, pool: NodePoolPlan, cluster: str) -> Body:
    told = {"vnetSubnetReference": pool.subnet, "capacityReservationGroupReference": pool.reservation}
    elsewhere = {key: {"armId": value} for key, value in told.items() if value}
    return {
        "apiVersion": VERSION,
        "kind": KIND,
        "metadata": {"name": one.name, "namespace": NAMESPACE},
        "spec": {"azureName": pool.name, "owner": {"armId": cluster}, **properties(pool), **elsewhere},
    }


def _system(one: NodePoolPlan) -> Body:
    return {
        "osType": "Windows" if one.windows else "Linux",
        "osSKU": one.os_sku,
        "osDiskSizeGB": one.disk_gb,
        "osDiskType": one.disk_type,
        "artifactStreamingProfile": {"enabled": True} if one.streams else None,
        "enableFIPS": one.fips or None,
    }


def _count(one: NodePoolPlan) -> Body:
    if one.fixed:
        return {"enableAutoScaling": False, "count": one.most}
    return {"enableAutoScaling": True, "minCount": one.least, "maxCount": one.most}


def _spot(one: NodePoolPlan) -> Body:
    """At most the price on demand; an evicted machine is deleted, for a stopped one keeps its quota."""
    return {"scaleSetPriority": "Spot", "scaleSetEvictionPolicy": "Delete", "spotMaxPrice": -1} if one.spot else {}
