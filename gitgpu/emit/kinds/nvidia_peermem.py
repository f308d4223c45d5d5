"""nvidia-peermem gives InfiniBand NICs access to the memory of GPUs: the AKS driver includes it, but does not load it.

When the NIC driver is unloaded, it unloads this module too; the probe, which loads the module, then restores it. The
module needs what that driver exports, so it may have to wait for the driver, which comes with the NicClusterPolicy. The
NIC driver does not wait for this module: it unloads the module if no program uses it (handleKernelModules in
entrypoint.go of Mellanox/doca-driver-build). So both are in one layer, where neither has to wait until the other is
ready.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, daemon_set
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.host import host_volumes, on_host, on_host_probe
from gitgpu.emit.pod.resources import small
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan

NAME = "nvidia-peermem"
LABELS = {APP_NAME_LABEL: NAME}
SCRIPT = "until modprobe nvidia-peermem; do sleep 10; done\nexec sleep infinity\n"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """DaemonSets on nodes with InfiniBand whose NVIDIA driver AKS installs."""
    if plan.fabric:
        for placement in plan.fabric.direct:
            body = daemon_set(NAME, plan.fabric.chart.namespace, LABELS, placement, _pod(plan.fabric.shell))
            yield Manifest(plan.cluster.name, Layer.NODES, body, plan.mark, rows=plan.fabric.rows)


def _pod(image: str) -> Body:
    load = on_host_probe("modprobe", "nvidia-peermem")
    container = {
        **on_host(NAME, image, SCRIPT, small()),
        "startupProbe": {**load, "periodSeconds": 10, "failureThreshold": 120},  # 20 minutes for the driver of the NICs
        "livenessProbe": {**load, "periodSeconds": 30, "timeoutSeconds": 10},
    }
    return {"containers": [container], "volumes": host_volumes()}


EMITTER = Emitter("nvidia-peermem", emit)
