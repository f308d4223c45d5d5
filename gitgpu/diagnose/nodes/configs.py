"""Configurations that a node selects with a label, and that the ConfigMap of its GPU software does not have.

As updateConfigName in cmd/config-manager/main.go of NVIDIA/k8s-device-plugin (1b826acc6af3) and GetSelectedMigConfig
of mig-parted, which fail for a name that is not there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.diagnose.cause import Evidence, subject_of
from gitgpu.diagnose.nodes.reaching import why_kept_off
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL
from gitgpu.objects.objects import Item
from gitgpu.objects.software.mig_layouts import Layout, layouts, profile_of
from gitgpu.objects.software.plugin_configs import choices
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.spelling import comma_separated

_PARTITIONED = "success"  # the value of MIG_STATE_LABEL if the MIG manager has applied the layout
MIG_STATE_LABEL = "nvidia.com/mig.config.state"
_MANAGER = "mig-manager"  # in the name of its image


class MissingConfig(NamedTuple):
    """What a node selects and does not exist."""

    message: str
    remedy: str
    evidence: tuple[Evidence, ...]
    rules: tuple[str, ...]


def missing_config(node: Item, state: State) -> MissingConfig | None:
    """The configuration of the device plugin that a node gets, if its DaemonSet does not have it."""
    label = _label(node, DEVICE_PLUGIN_CONFIG_LABEL)
    for choice in choices(state.objects):
        name = label or choice.default
        daemon = next((pod for pod in _daemons(state) if pod.item is choice.item), None)
        if daemon is None or not name or name in choice.names or why_kept_off(daemon, node):
            continue
        known = comma_separated(sorted(choice.names), 8)
        title = f"DaemonSet {subject_of(choice.item).title}"
        return MissingConfig(
            f"the device plugin has no configuration {name}: its ConfigMap has {known}",
            f"add {name} to the ConfigMap, or correct the label {DEVICE_PLUGIN_CONFIG_LABEL} of the node",
            (_selects(node, DEVICE_PLUGIN_CONFIG_LABEL, label), Evidence(title, f"mounts configurations {known}")),
            ("SHR006",),
        )
    return None


def missing_layout(node: Item, state: State) -> MissingConfig | None:
    """The MIG layout that a node selects, if the MIG manager has not applied it and its ConfigMap lacks it."""
    name = _label(node, MIG_CONFIG_LABEL)
    # The MIG manager of newer operators makes layouts such as all-1g.10gb from the hardware.
    if not name or profile_of(name) or _label(node, MIG_STATE_LABEL) == _PARTITIONED:
        return None
    found = {layout.name for layout in _layouts(node, state)}
    if not found or name in found:
        return None
    known = comma_separated(sorted(found), 8)
    return MissingConfig(
        f"the MIG manager has no layout {name}: its ConfigMap has {known}",
        f"add {name} to the ConfigMap, or correct the label {MIG_CONFIG_LABEL} of the node",
        (_selects(node, MIG_CONFIG_LABEL, name),),
        ("SHR011",),
    )


def _layouts(node: Item, state: State) -> Iterator[Layout]:
    """The layouts in the ConfigMaps that the MIG manager of a node mounts."""
    mounted = {
        (daemon.item.identity.namespace, text_at(volume, "configMap", "name"))
        for daemon in _daemons(state)
        if any(_MANAGER in text_at(container, "image") for _, container in daemon.containers())
        and not why_kept_off(daemon, node)
        for volume in rows(daemon.spec, "volumes")
    }
    return (layout for layout in layouts(state.objects) if layout.item.identity[2:] in mounted)


def _daemons(state: State) -> Iterator[Pod]:
    return (pod for pod in pods(state.objects) if pod.is_daemon)


def _label(node: Item, key: str) -> str:
    return str(mapping_at(node.body, "metadata", "labels").get(key) or "")


def _selects(node: Item, key: str, value: str) -> Evidence:
    return Evidence(f"Node {node.identity.name}", f"label {key}={value}" if value else f"has no label {key}")
