"""NVIDIA's MPS control daemon, next to gitgpu's device plugin on nodes whose GPUs are shared with MPS.

The GPU Operator installs its own. The privileges match NVIDIA's chart: it mounts a file system on the host, and
the MPS server looks for its own process ID in /proc.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, daemon_set, environment
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.mps import mps_mounts, mps_volumes
from gitgpu.emit.pod.plugin_config import CONFIG_FILE, config_mounts, config_volumes, manager, part_name
from gitgpu.emit.pod.plugin_config import NAME as ACCOUNT
from gitgpu.emit.pod.resources import resources, small
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import ClusterPlan

NAME = "nvidia-mps-control-daemon"
PRIVILEGED = {"privileged": True}
# The servers of all pods run in it: at the limit, they would all stop. Clients submit their work to the GPU themselves,
# so only a leak reaches 16 GiB for each of eight GPUs, the most of a node.
MEMORY = {"requests": "100Mi", "limits": "128Gi"}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The DaemonSets, if a pool whose driver AKS installs shares its GPUs with MPS.

    It reads its configuration only once: another configuration has another label, and so other nodes.
    """
    plugin = plan.device_plugin
    if plugin:
        for daemon in plugin.mps:
            name = part_name(NAME, daemon.part)
            body = daemon_set(name, NAMESPACE, {APP_NAME_LABEL: name}, daemon.placement, _pod(plugin.image))
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=plugin.rows)


def _pod(image: str) -> Body:
    return {
        "serviceAccountName": ACCOUNT,
        "hostPID": True,
        "initContainers": [_mounter(image), manager("config-init", image)],
        "containers": [_daemon(image)],
        "volumes": [*mps_volumes(), *config_volumes()],
    }


def _mounter(image: str) -> Body:
    """Mounts the shared memory where the host sees it, and so the plugin and the pods do too."""
    return {
        "name": "mount-shm",
        "image": image,
        "command": ["mps-control-daemon", "mount-shm"],
        "resources": small(),
        "securityContext": PRIVILEGED,
        "volumeMounts": [{"name": "mps-root", "mountPath": "/mps", "mountPropagation": "Bidirectional"}],
    }


def _daemon(image: str) -> Body:
    env = {"CONFIG_FILE": CONFIG_FILE, "NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility"}
    return {
        "name": NAME,
        "image": image,
        "command": ["mps-control-daemon"],
        "env": environment(env),
        "resources": resources("50m", MEMORY),
        "securityContext": PRIVILEGED,
        "volumeMounts": [*mps_mounts(), *config_mounts()],
    }


EMITTER = Emitter("NVIDIA MPS control daemon", emit)
