"""NVIDIA's device plugin, for nodes whose driver AKS installs: it advertises nvidia.com/gpu.

The config-manager next to it reads the node's label and gives the plugin the configuration of that name. So one
DaemonSet serves both pools that share GPUs and pools that do not.
"""

from collections.abc import Iterator

from gitgpu.emit.chart.sharing import plugin_configs
from gitgpu.emit.emitter import Body, Emitter, config_map, daemon_set, environment
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.mps import ROOT, mps_mounts, mps_volumes
from gitgpu.emit.pod.plugin_config import CONFIG_FILE, HARDENED, NAME, config_mounts, config_volumes, manager, part_name
from gitgpu.emit.pod.resources import resources
from gitgpu.emit.pod.turns import after
from gitgpu.model.names.groups import RBAC_GROUP
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.gpus import DevicePlugin, PluginDaemon


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The DaemonSets with their configuration, and the permission to read their node."""
    plugin = plan.device_plugin
    if plugin:
        config = config_map(NAME, NAMESPACE, plugin_configs(plugin.configs))
        for body in (*_access(), config, *(_daemon_set(plugin, daemon) for daemon in plugin.daemons)):
            rows = plugin.rows if body["kind"] == "DaemonSet" else ()
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=rows)


def _access() -> Iterator[Body]:
    rbac = RBAC_GROUP
    yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": NAME, "namespace": NAMESPACE}}
    yield {
        "apiVersion": f"{rbac}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": NAME},
        "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "watch"]}],
    }
    yield {
        "apiVersion": f"{rbac}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": NAME},
        "roleRef": {"apiGroup": rbac, "kind": "ClusterRole", "name": NAME},
        "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}],
    }


def _daemon_set(plugin: DevicePlugin, daemon: PluginDaemon) -> Body:
    host = "/var/lib/kubelet/device-plugins"
    mps = mps_volumes() if daemon.mps else ()
    pod = {
        "serviceAccountName": NAME,
        "shareProcessNamespace": True,  # so that the config-manager can signal the plugin
        "initContainers": [manager("config-init", plugin.image)],
        "containers": [_plugin(plugin, daemon, host), manager("config-manager", plugin.image, NAME)],
        "volumes": [
            {"name": "device-plugins", "hostPath": {"path": host, "type": "Directory"}},
            *mps,
            *config_volumes(),
        ],
    }
    name = part_name(NAME, daemon.part)
    body = daemon_set(name, NAMESPACE, {APP_NAME_LABEL: name}, daemon.placement, pod)
    if daemon.part or daemon.placement.pool:  # the node may still have a pod of the DaemonSet for all pools
        body["spec"]["template"]["spec"]["affinity"] |= after({APP_NAME_LABEL: NAME})
    return body


def _plugin(plugin: DevicePlugin, daemon: PluginDaemon, host: str) -> Body:
    mps = mps_mounts() if daemon.mps else ()
    return {
        "name": NAME,
        "image": plugin.image,
        "command": ["nvidia-device-plugin"],
        "env": _environment(daemon),
        "resources": resources("50m", plugin.memory),
        "securityContext": _rights(daemon),
        "volumeMounts": [
            {"name": "device-plugins", "mountPath": host},
            *mps,
            *config_mounts(),
        ],
    }


def _environment(daemon: PluginDaemon) -> list[Body]:
    variables = {
        "CONFIG_FILE": CONFIG_FILE,
        "NVIDIA_VISIBLE_DEVICES": "all",
        "NVIDIA_DRIVER_CAPABILITIES": "compute,utility",
    }
    if daemon.pinned:  # if the kubelet pins CPUs, this keeps GPUs in their pods; looking up devices needs privileges
        variables |= {"PASS_DEVICE_SPECS": "true"}
    if daemon.mps:
        variables |= {"MPS_ROOT": ROOT}
    if daemon.mig:
        variables |= {"NVIDIA_MIG_MONITOR_DEVICES": "all"}
    return environment(variables)


def _rights(daemon: PluginDaemon) -> Body:
    """As in NVIDIA's chart: seeing MIG instances requires SYS_ADMIN, which a privileged container has already."""
    if daemon.pinned:
        return {"privileged": True}
    return {"capabilities": {"add": ["SYS_ADMIN"]}} if daemon.mig else HARDENED


EMITTER = Emitter("NVIDIA device plugin", emit)
