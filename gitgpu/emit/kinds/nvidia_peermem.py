"""nvidia-peermem gives InfiniBand NICs access to the memory of GPUs: the AKS driver includes it, but does not load it.

The driver of the NICs takes it along when it goes; the probe, which loads it, puts it back. The module binds to what
that driver exports, so this may wait for it, and it comes with the NicClusterPolicy. The driver of the NICs waits for
nothing of this: it unloads the module where no program uses it (handleKernelModules in entrypoint.go of
Mellanox/doca-driver-build). So both are in one layer, where neither is held back until the other is ready.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, daemon_set
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.host import host_volumes, on_host, on_host_probe
from gitgpu.plan.decided.cluster import ClusterPlan

NAME = "nvidia-peermem"
LABELS = {"app.kubernetes.io/name": NAME}
SCRIPT = "until modprobe nvidia-peermem; do sleep 10; done\nexec sleep infinity\n"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A DaemonSet where AKS installs the driver of NVIDIA GPUs beside InfiniBand."""
    if plan.fabric and plan.fabric.direct:
        pod = _pod(plan.fabric.shell)
        body = daemon_set(NAME, plan.fabric.chart.namespace, LABELS, plan.fabric.direct, pod)
        yield Manifest(plan.cluster.name, Layer.NODES, body, plan.mark, rows=plan.fabric.rows)


def _pod(image: str) -> Body:
    load = on_host_probe("modprobe", "nvidia-peermem")
    container = {
        **on_host(NAME, image, SCRIPT),
        "startupProbe": {**load, "periodSeconds": 10, "failureThreshold": 120},  # 20 minutes for the driver of the NICs
        "livenessProbe": {**load, "periodSeconds": 30, "timeoutSeconds": 10},
    }
    return {"containers": [container], "volumes": host_volumes()}


EMITTER = Emitter("nvidia-peermem", emit)
