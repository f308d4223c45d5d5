"""NVIDIA's GPU Feature Discovery, next to gitgpu's device plugin: which GPUs a node has, and how they are shared.

It writes a NodeFeature for its node, which Node Feature Discovery turns into labels. It has the image and the
configurations of the device plugin, so that the labels match what the plugin advertises.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, daemon_set, environment
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.plugin_config import CONFIG_FILE, config_mounts, config_volumes, manager, part_name
from gitgpu.emit.pod.plugin_config import NAME as ACCOUNT
from gitgpu.emit.pod.resources import resources
from gitgpu.model.names.groups import RBAC_GROUP
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.gpus import DevicePlugin, PluginDaemon

NAME = "gpu-feature-discovery"
FIELDS = {"NODE_NAME": "spec.nodeName", "NAMESPACE": "metadata.namespace", "POD_NAME": "metadata.name"}
HOST = {"name": "host-sys", "mountPath": "/sys", "readOnly": True}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The DaemonSets and their permissions, if the cluster requests it."""
    plugin = plan.device_plugin
    if plugin and plugin.discovery:
        for body in _access():
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark)
        for daemon in plugin.daemons:
            name = part_name(NAME, daemon.part)
            body = daemon_set(name, NAMESPACE, {APP_NAME_LABEL: name}, daemon.placement, _pod(plugin, daemon))
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=plugin.rows)


def _access() -> Iterator[Body]:
    """It reads its own pod, which becomes the owner of the NodeFeature: when the pod is deleted, so are the labels."""
    features = {
        "apiGroups": ["nfd.k8s-sigs.io"],
        "resources": ["nodefeatures"],
        "verbs": ["get", "list", "watch", "create", "update"],
    }
    pods = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
    meta = {"name": NAME, "namespace": NAMESPACE}
    yield {"apiVersion": f"{RBAC_GROUP}/v1", "kind": "Role", "metadata": meta, "rules": [features, pods]}
    yield {
        "apiVersion": f"{RBAC_GROUP}/v1",
        "kind": "RoleBinding",
        "metadata": meta,
        "roleRef": {"apiGroup": RBAC_GROUP, "kind": "Role", "name": NAME},
        "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": NAMESPACE}],
    }


def _pod(plugin: DevicePlugin, daemon: PluginDaemon) -> Body:
    return {
        "serviceAccountName": ACCOUNT,
        "shareProcessNamespace": True,
        "initContainers": [manager("config-init", plugin.image)],
        "containers": [_discovery(plugin, daemon), manager("config-manager", plugin.image, NAME)],
        "volumes": [{"name": "host-sys", "hostPath": {"path": "/sys", "type": "Directory"}}, *config_volumes()],
    }


def _discovery(plugin: DevicePlugin, daemon: PluginDaemon) -> Body:
    """Privileged as in NVIDIA's chart: only root can read in /sys whether a GPU is virtual."""
    variables = {
        "CONFIG_FILE": CONFIG_FILE,
        "NVIDIA_VISIBLE_DEVICES": "all",
        "NVIDIA_DRIVER_CAPABILITIES": "compute,utility",
    }
    if daemon.mig:
        variables["NVIDIA_MIG_MONITOR_DEVICES"] = "all"
    return {
        "name": NAME,
        "image": plugin.image,
        "command": [NAME],
        "env": [
            *({"name": key, "valueFrom": {"fieldRef": {"fieldPath": path}}} for key, path in FIELDS.items()),
            *environment(variables),
        ],
        "resources": resources("50m", plugin.memory),
        "securityContext": {"privileged": True},
        "volumeMounts": [HOST, *config_mounts()],
    }


EMITTER = Emitter("GPU Feature Discovery", emit)
