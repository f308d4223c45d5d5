"""AMD's device plugin alone, for nodes whose driver gitgpu does not install: it advertises amd.com/gpu.

It looks for GPUs only when it starts, so an init container waits until the driver is loaded.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, daemon_set
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.plugin_config import HARDENED
from gitgpu.emit.pod.resources import small
from gitgpu.emit.pod.turns import after
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.hardware import AmdPlugin

NAME = "amd-device-plugin"
LABELS = {APP_NAME_LABEL: NAME}
SOCKETS = "/var/lib/kubelet/device-plugins"
DRIVER = "until [ -d /sys/class/kfd ] && [ -d /sys/module/amdgpu/drivers ]; do sleep 5; done"
SYS = {"name": "sys", "mountPath": "/sys", "readOnly": True}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """DaemonSets on the pools that request it."""
    plugin = plan.amd_plugin
    if plugin:
        for placement in plugin.placements:
            body = daemon_set(NAME, NAMESPACE, LABELS, placement, _pod(plugin))
            if placement.pool:  # the node may still have a pod of the DaemonSet for several pools
                body["spec"]["template"]["spec"]["affinity"] |= after(LABELS)
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=plugin.rows)


def _pod(plugin: AmdPlugin) -> Body:
    """Without privileges, as in AMD's chart: only part of what the plugin reads in /sys is restricted to root."""
    return {
        "automountServiceAccountToken": False,
        "initContainers": [
            {
                "name": "driver",
                "image": plugin.waiter,
                "command": ["sh", "-c", DRIVER],
                "resources": small(),
                "securityContext": HARDENED,
                "volumeMounts": [SYS],
            }
        ],
        "containers": [
            {
                "name": NAME,
                "image": plugin.image,
                "resources": small(),
                "securityContext": HARDENED,
                "volumeMounts": [{"name": "sockets", "mountPath": SOCKETS}, SYS],
            }
        ],
        "volumes": [
            {"name": "sockets", "hostPath": {"path": SOCKETS, "type": "Directory"}},
            {"name": "sys", "hostPath": {"path": "/sys", "type": "Directory"}},
        ],
    }


EMITTER = Emitter("AMD device plugin", emit)
