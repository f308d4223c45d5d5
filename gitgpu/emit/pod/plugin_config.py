"""A pod that gets its configuration from the NVIDIA device plugin's ConfigMap, by the label of its node."""

from gitgpu.emit.emitter import NODE_NAME, Body, environment
from gitgpu.emit.pod.resources import small
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.model.software.names import DEVICE_PLUGIN

NAME = DEVICE_PLUGIN
CONFIG_FILE = "/config/config.yaml"
HARDENED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def part_name(name: str, part: str) -> str:
    """The name of a DaemonSet for a part of the nodes; that of all of them for ""."""
    return f"{name}-{part}" if part else name


def manager(name: str, image: str, process: str = "") -> Body:
    """The config-manager: once before a program starts, or next to a process that it notifies of a new label."""
    env = {
        "ONESHOT": str(not process).lower(),
        "NODE_LABEL": DEVICE_PLUGIN_CONFIG_LABEL,
        "CONFIG_FILE_SRCDIR": "/available-configs",
        "CONFIG_FILE_DST": CONFIG_FILE,
        "DEFAULT_CONFIG": "default",
        "SEND_SIGNAL": str(bool(process)).lower(),
        "SIGNAL": "1" if process else "",  # SIGHUP
        "PROCESS_TO_SIGNAL": process,
    }
    return {
        "name": name,
        "image": image,
        "command": ["config-manager"],
        "env": [NODE_NAME, *environment(env)],
        "resources": small(),
        "securityContext": HARDENED,
        "volumeMounts": config_mounts(),
    }


def config_mounts() -> list[Body]:
    """The directory of all configurations, and the one for the configuration that applies."""
    return [
        {"name": "available-configs", "mountPath": "/available-configs"},
        {"name": "config", "mountPath": "/config"},
    ]


def config_volumes() -> list[Body]:
    """The volumes of these mounts."""
    return [{"name": "available-configs", "configMap": {"name": NAME}}, {"name": "config", "emptyDir": {}}]
