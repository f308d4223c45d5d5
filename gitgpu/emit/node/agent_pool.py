"""An AKS node pool with the names of Azure's API, for Azure Service Operator and for Bicep."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.node.places import agent_pool_places
from gitgpu.emit.node.pool_annotations import pool_annotations
from gitgpu.model.fleet import Cluster
from gitgpu.model.syntax.resource_id import resource_id
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.metrics import NAMESPACE

API = "2025-08-01"  # the version of Azure's API that Azure Service Operator 2.16 supports
RESOURCES = {  # properties of Azure's API that name a resource, and what Azure Service Operator calls them
    "hostGroupID": "hostGroupReference",
    "nodePublicIPPrefixID": "nodePublicIPPrefixReference",
    "podSubnetID": "podSubnetReference",
    "proximityPlacementGroupID": "proximityPlacementGroupReference",
    "sourceResourceId": "sourceResourceReference",
}
KIND, VERSION = "ManagedClustersAgentPool", f"containerservice.azure.com/v1api{API.replace('-', '')}"


def node_pool_manifests(plan: ClusterPlan, *, beyond: bool) -> Iterator[Manifest]:
    """The pools as objects of Azure Service Operator: those it can create, or with `beyond` those it cannot."""
    for pool in plan.pools:
        if pool.node_pool and bool(pool.node_pool.api) is beyond:
            body = _body(pool, pool.node_pool, plan.cluster.resource_id or "")
            manifest = Manifest(plan.cluster.name, Layer.NODES, body, pool.pool.origin.mark, rows=pool.rows)
            yield manifest._replace(places=agent_pool_places(pool, RESOURCES))


def cluster_options(cluster: Cluster) -> str:
    """The options with which `az aks nodepool` commands name the cluster."""
    subscription, group, name = resource_id(cluster.resource_id or "")
    return f"--subscription {subscription} --resource-group {group} --cluster-name {name}"


def properties(pool: NodePoolPlan) -> Body:
    """The properties of the pool. An autoscaled pool has no count, because the autoscaler decides it."""
    wanted: Body = {
        "mode": pool.mode,
        "vmSize": pool.size,
        **_system(pool),
        **_count(pool),
        **_spot(pool),
        "gpuProfile": dict(pool.gpu),
        "gpuInstanceProfile": pool.mig,
        "availabilityZones": list(pool.zones),
        "maxPods": pool.max_pods,
        "kubeletConfig": dict(pool.kubelet),
        "linuxOSConfig": dict(pool.linux),
        "nodeLabels": dict(pool.labels),
        "nodeTaints": list(pool.taints),
        "tags": dict(pool.tags),
        **pool.settings,
        "messageOfTheDay": _encoded(pool.settings.get("messageOfTheDay")),
    }
    return {key: value for key, value in wanted.items() if value not in (None, {}, [])}


def _body(planned: PoolPlan, pool: NodePoolPlan, cluster: str) -> Body:
    ids = {"vnetSubnetReference": pool.subnet, "capacityReservationGroupReference": pool.reservation}
    elsewhere = {key: {"armId": value} for key, value in ids.items() if value}
    return {
        "apiVersion": VERSION,
        "kind": KIND,
        "metadata": {"name": planned.name, "namespace": NAMESPACE, **pool_annotations(planned)},
        "spec": {"azureName": pool.name, "owner": {"armId": cluster}, **by_reference(properties(pool)), **elsewhere},
    }


def by_reference(settings: Mapping[str, Any]) -> Body:
    """The properties with other resources as references, as Azure Service Operator has them."""
    result: Body = {}
    for key, value in settings.items():
        if key in ("creationData", "networkProfile"):
            result[key] = by_reference(value)
        elif key == "applicationSecurityGroups":
            result[f"{key}References"] = [{"armId": resource} for resource in value]
        elif key in RESOURCES:
            result[RESOURCES[key]] = {"armId": value}
        else:
            result[key] = value
    return result


def _encoded(text: str | None) -> str | None:
    return b64encode(text.encode()).decode() if text else None  # the form that Azure's API requires


def _system(pool: NodePoolPlan) -> Body:
    return {
        "osType": "Windows" if pool.windows else "Linux",
        "osSKU": pool.os_sku,
        "osDiskSizeGB": pool.disk_gb,
        "osDiskType": pool.disk_type,
        "artifactStreamingProfile": {"enabled": True} if pool.streams else None,
        # False is omitted: Azure's API reads an absent value like it.
        "enableFIPS": pool.fips or None,
        "enableEncryptionAtHost": pool.encrypted or None,
    }


def _count(pool: NodePoolPlan) -> Body:
    if pool.fixed:
        return {"enableAutoScaling": False, "count": pool.maximum}
    return {"enableAutoScaling": True, "minCount": pool.minimum, "maxCount": pool.maximum}


def _spot(pool: NodePoolPlan) -> Body:
    if not pool.spot:
        return {}
    return {"scaleSetPriority": "Spot", "scaleSetEvictionPolicy": pool.eviction, "spotMaxPrice": pool.max_price}
