"""The Network Operator's policy, one for each cluster: the driver and the device plugin of InfiniBand NICs."""

import json
from collections.abc import Iterator

from gitgpu.emit.chart.discovery import INFINIBAND, MELLANOX
from gitgpu.emit.emitter import Body, Emitter, on_pools, tolerations
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.hardware import Fabric, Image

PLACES = 63  # pods that may share the NICs of a node, as in Azure/aks-rdma-infiniband
# Keeps the node from loading its own modules meanwhile: https://github.com/Mellanox/doca-driver-build/issues/52
BLACKLIST = {"name": "OFED_BLACKLIST_MODULES_FILE", "value": "/host/etc/modprobe.d/blacklist-ofed-modules.conf"}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """In the nodes' layer, because its kind comes with the operator's chart; the operator reads only this name."""
    if plan.fabric:
        meta = {"name": "nic-cluster-policy"}
        spec = _spec(plan.fabric)
        body = {"apiVersion": "mellanox.com/v1alpha1", "kind": NIC_CLUSTER_POLICY.kind, "metadata": meta, "spec": spec}
        yield Manifest(plan.cluster.name, Layer.NODES, body, plan.mark, rows=plan.fabric.rows)


def _spec(fabric: Fabric) -> Body:
    """Without an upgrade policy, nothing drains a node: new driver versions come with new nodes."""
    name, config = ("rdmaSharedDevicePlugin", _shared()) if fabric.shared else ("sriovDevicePlugin", _own())
    affinity = on_pools(fabric.placement.pools)["nodeAffinity"]
    for term in affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]:
        term["matchExpressions"].append({"key": INFINIBAND, "operator": "In", "values": ["true"]})
    return {
        "nodeAffinity": affinity,
        "tolerations": tolerations(fabric.placement.tolerations),
        "ofedDriver": {
            **_image(fabric.driver),
            "env": [BLACKLIST],
            # The probes of Azure's guide: configs/nicclusterpolicy/base/nic.yaml of Azure/aks-rdma-infiniband.
            "startupProbe": {"initialDelaySeconds": 10, "periodSeconds": 20},
            "livenessProbe": {"initialDelaySeconds": 30, "periodSeconds": 30},
            "readinessProbe": {"initialDelaySeconds": 10, "periodSeconds": 30},
        },
        name: {**_image(fabric.plugin), "config": json.dumps(config, indent=2) + "\n"},
    }


def _image(image: Image) -> Body:
    return {"repository": image.repository, "image": image.name, "version": image.version}


def _shared() -> Body:
    selectors = {"vendors": [MELLANOX], "linkTypes": ["infiniband"]}
    return {"configList": [{"resourceName": "shared_ib", "rdmaHcaMax": PLACES, "selectors": selectors}]}


def _own() -> Body:
    selectors = {"vendors": [MELLANOX], "linkTypes": ["infiniband"], "isRdma": True}
    return {"resourceList": [{"resourcePrefix": "rdma", "resourceName": "ib", "selectors": selectors}]}


EMITTER = Emitter(NIC_CLUSTER_POLICY.kind, emit)
