"""The namespaces that the GPU software lives in."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.decision import ClusterPlan
from gitgpu.plan.metrics import NAMESPACE

PRIVILEGED = {"pod-security.kubernetes.io/enforce": "privileged"}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A namespace for everything that gitgpu installs; drivers and device plugins need host paths."""
    ours = (plan.device_plugin, plan.amd_plugin, plan.exporters, plan.node_pools, plan.care.health, plan.node_monitor)
    wanted = {NAMESPACE: PRIVILEGED} if any(ours) else {}
    for one in (plan.operator, plan.amd, plan.fabric, plan.dra):
        if one:
            wanted[one.chart.namespace] = PRIVILEGED
    if plan.discovery and plan.discovery.chart:
        wanted[plan.discovery.chart.namespace] = {}
    if plan.keda:
        wanted[plan.keda.namespace] = {}
    if plan.adapter:
        wanted[plan.adapter.chart.namespace] = {}
    for chart in plan.serving.charts or ():
        if chart:
            wanted.setdefault(chart.namespace, {})
    for name, labels in sorted(wanted.items()):
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": dict(labels)}}
        yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark)


EMITTER = Emitter("Namespace", emit)
