"""How several pods share the GPUs of a pool: configurations of the device plugin, and MIG layouts.

Nodes with shared GPUs have a label with the name of a configuration. On a NodePool, another name replaces all nodes, so
the pool keeps the label, and with it the name. Nodes without a label would get one, which also replaces them. AKS
changes the labels of its node pools in place.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.evidence import Evidence, ObservedPlace
from gitgpu.adopt.stack.mig_layouts import mig_of_aks, mig_of_operator
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.software.node_configs import NAMES
from gitgpu.objects.software.plugin_configs import PluginConfig, choices, plugin_configs

_SERVED = ("aks", "operator")  # the drivers on whose nodes gitgpu configures the device plugin


class _Sharing(NamedTuple):
    """How GPUs are shared: the method as the spec names it, the pods for each GPU, and the configuration.

    With `by_default`, the nodes have no label, and the configuration is the default one.
    """

    method: str
    replicas: int
    config: PluginConfig
    by_default: bool


class SharedByDefault(NamedTuple):
    """Sharing of GPUs that no label of the nodes selects: what does it, as a clause, and the configuration."""

    what: str
    place: ObservedPlace


def default_sharing(nodes: PoolNodes, view: View) -> SharedByDefault | None:
    """How NodePools share GPUs by the default configuration; None if they do not."""
    shared = _sharing(nodes, view) if nodes.karpenter else None
    if not shared or not shared.by_default:
        return None
    observed = view.original(shared.config.item)
    what = f"the default configuration of {observed.name} shares a GPU among {shared.replicas} pods"
    return SharedByDefault(what, ObservedPlace(observed, shared.config.pointer))


def partitions(view: View) -> Iterator[Evidence]:
    """The `partition` of each pool that has one, or why it cannot be adopted."""
    for nodes in view.pools:
        driver = view.drivers[nodes.pool.name]
        partition = mig_of_operator(nodes, view) if driver == "operator" else mig_of_aks(nodes, view)
        if partition:
            yield partition
        elif driver in _SERVED and nodes.maker == "nvidia" and not nodes.windows:
            shared = _sharing(nodes, view)
            if shared:
                yield _evidence(shared, nodes, view)


def _sharing(nodes: PoolNodes, view: View) -> _Sharing | None:
    """How the nodes share whole GPUs, according to the configuration that their label names, or the default one."""
    labelled = _label(nodes, DEVICE_PLUGIN_CONFIG_LABEL)
    configs = {config.name: config for config in plugin_configs(view.objects)}
    name = labelled or view.objects.once("default plugin configuration", lambda: _default(view))
    config = configs.get(name)
    methods = list(config.ways()) if config else []
    for method, section in methods:
        for entry in list_at(section, "resources"):
            resource = mapping_at(entry)
            count = resource.get("replicas")
            if config and resource.get("name") == NVIDIA_GPU and isinstance(count, int) and count > 1:
                return _Sharing(method, count, config, not labelled)
    return None


def _default(view: View) -> str:
    """The configuration of nodes without a label; "" if it is not known."""
    names: set[str] = set()
    for choice in choices(view.objects):
        only = next(iter(choice.names)) if len(choice.names) == 1 else ""
        names.add(choice.default or only)
    return names.pop() if len(names) == 1 else ""


def _evidence(shared: _Sharing, nodes: PoolNodes, view: View) -> Evidence:
    """The sharing as a value of `partition`; INEXPRESSIBLE if its label would replace the nodes."""
    ours = f"{NAMES[shared.method]}-{shared.replicas}"
    name, config = _label(nodes, DEVICE_PLUGIN_CONFIG_LABEL), shared.config
    observed = view.original(config.item)
    value = {shared.method: {"replicas": shared.replicas}}
    title = "the default configuration" if shared.by_default else f"the configuration {config.name}"
    reason = f"{title} of {observed.name} shares a GPU among {shared.replicas} pods"
    if name or nodes.agent:
        return Evidence(("partition",), value, reason, observed, config.pointer, nodes.pool.name)
    label = f"{DEVICE_PLUGIN_CONFIG_LABEL}={ours}"
    reason = (
        f"{reason}; partition: {{{shared.method}: {{replicas: {shared.replicas}}}}} of GpuPool {nodes.pool.name} does "
        f"the same, but gives its nodes the label {label}, which they do not have: that replaces them"
    )
    return Evidence(("partition",), value, reason, observed, config.pointer, nodes.pool.name, Fate.INEXPRESSIBLE)


def _label(nodes: PoolNodes, key: str) -> str:
    labels: Mapping[str, Any] = nodes.labels
    return str(labels.get(key) or "")
