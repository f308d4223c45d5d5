"""AMD's DeviceConfig: what AMD's operator runs on the nodes with its GPUs.

In an Azure VM a GPU is a virtual function, so its node has another label than the one that the chart selects by
default.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, tolerations
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import DEVICE_CONFIG
from gitgpu.model.names.labels import AMD_VGPU_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.hardware import AmdOperator

# The default port of the exporter, AMDListenPort in
# https://github.com/ROCm/device-metrics-exporter/blob/93b1502856805dc5f21d5ad320c086026444c93f/pkg/exporter/globals/constants.go
PORT = 5000


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One for all nodes. It is in the layer of the nodes, because its kind comes with the operator's chart."""
    if plan.amd:
        meta = {"name": plan.amd.chart.release, "namespace": plan.amd.chart.namespace}
        body = {"apiVersion": "amd.com/v1alpha1", "kind": DEVICE_CONFIG.kind, "metadata": meta, "spec": _spec(plan.amd)}
        yield Manifest(plan.cluster.name, Layer.NODES, body, plan.mark, rows=plan.amd.rows)


def _spec(amd: AmdOperator) -> Body:
    tolerate = tolerations(amd.tolerations)
    return {
        "selector": {AMD_VGPU_LABEL: "true"},
        "driver": {"enable": False, "blacklist": False},
        "commonConfig": {"initContainerImage": amd.waiter},
        "devicePlugin": {
            "devicePluginImage": amd.plugin,
            "devicePluginTolerations": tolerate,
            "enableNodeLabeller": True,
            "nodeLabellerImage": amd.labeller,
            "nodeLabellerTolerations": tolerate,
        },
        "metricsExporter": _exporter(amd),
        "configManager": {"enable": False},
        "testRunner": {"enable": False},
    }


def _exporter(amd: AmdOperator) -> Body:
    if not amd.exporter:
        return {"enable": False}
    return {
        "enable": True,
        "image": amd.exporter,
        "port": PORT,
        "serviceType": "ClusterIP",
        "tolerations": tolerations(amd.tolerations),
    }


EMITTER = Emitter(DEVICE_CONFIG.kind, emit)
