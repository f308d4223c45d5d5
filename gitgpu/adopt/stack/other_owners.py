"""Nodes whose driver AKS installs, and whose GPUs another owner advertises and measures.

Such an owner stays: its software runs already, and a second device plugin or exporter would run on the same nodes.
"""

import re
from collections.abc import Iterator, Mapping

from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import MPS, PLUGIN, is_add_on, is_operated, is_ours, part_of
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.needed_software import Needed, needed_plugin, pools_left
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.partitions import default_sharing
from gitgpu.adopt.stack.reached_nodes import is_selected, runs_on
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.inventory.observed import Observed
from gitgpu.load.spec.unfilled import NOT_IN_INPUT
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.model.software.names import DRA_DRIVER, NAMESPACE
from gitgpu.model.software.node_configs import NAMES
from gitgpu.model.software.other_owner import ANNOTATION, has_other_owner
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.plan.driver import OPT_OUT

_CLAIMS = "dra-gpus"
_WHAT = {"device-plugin": "advertises the GPUs", _CLAIMS: "advertises the GPUs", "dcgm-exporter": "measures the GPUs"}
_WITH_PLUGIN: Mapping[str, tuple[str, ...]] = {
    "dra-driver-nvidia-gpu": ("resources", "gpus", "enabled"),
    "kaito-workspace": ("nvidiaDevicePlugin", "enabled"),
}  # charts that advertise GPUs, and the value that turns it off
_UNKNOWN = (
    f"{NOT_IN_INPUT}the owner of the GPU software: pass its DaemonSets, because AKS Automatic rejects those of gitgpu. "
    "Keep aks-only if other software advertises the GPUs, and set managed if none does"
)
# Names that gitgpu gives to configurations: of a way to share, of MIG, and the default.
_OWN_NAME = re.compile(f"({'|'.join(map(re.escape, NAMES.values()))})-[0-9]+|mig-.*|default")


def other_owners(drivers: Mapping[str, Evidence], view: View) -> dict[str, Evidence]:
    """The driver `aks-only` of each pool whose GPUs belong to another owner, by the name of the pool."""
    aks_pools = [
        nodes for nodes in view.pools if _is_of_aks(nodes, drivers[nodes.pool.name]) and not _is_ours(nodes, view)
    ]
    shared = {nodes.pool.name: _shared(nodes, drivers[nodes.pool.name], view) for nodes in aks_pools}
    first = next(filter(None, shared.values()), None)
    owners: dict[str, Evidence] = {}
    for nodes in aks_pools:
        name = nodes.pool.name
        own = _annotated(nodes, drivers[name]) or next(_owners(nodes, drivers[name], view), None)
        own = own or _configured(nodes, drivers[name], view) or _kept(drivers[name], view)
        # A plugin that stays for one pool stays for all: gitgpu's would run next to it.
        owner = own or shared[name] or (first and first._replace(pool=name)) or _refused(nodes, drivers[name], view)
        if owner:
            owners[name] = owner
    configured = (nodes for nodes in aks_pools if _configured(nodes, drivers[nodes.pool.name], view))
    left = [*configured, *pools_left(view)]
    for nodes in aks_pools if left else ():
        name = nodes.pool.name
        needed = None if name in owners else needed_plugin(nodes, left, view)
        if needed:
            owners[name] = _needed(needed, drivers[name], view)
    return owners


def _is_of_aks(nodes: PoolNodes, driver: Evidence) -> bool:
    return driver.value == "aks" and nodes.maker == "nvidia" and not nodes.windows


def _is_ours(nodes: PoolNodes, view: View) -> bool:
    """Whether gitgpu's device plugin runs on the nodes already."""
    plugins = view.objects.once("device plugins of gitgpu", lambda: tuple(_own_plugins(view)))
    return any(is_selected(plugin.body, nodes) for plugin in plugins)


def _own_plugins(view: View) -> Iterator[Observed]:
    return (each for each in view.cluster.objects if is_ours(each) and part_of(each.body) == PLUGIN)


def _annotated(nodes: PoolNodes, driver: Evidence) -> Evidence | None:
    """Evidence for an owner that is outside the input: gitgpu has written that there is one."""
    if not has_other_owner(nodes.nodes.body):
        return None
    key, value = next(iter(ANNOTATION.items()))
    reason = f"{driver.reason}, and the annotation {key}: {value} leaves the GPUs to other software"
    place = ("metadata", "annotations", key)
    return driver._replace(value=AKS_ONLY, reason=reason, observed=nodes.nodes, pointer=place)


def _configured(nodes: PoolNodes, driver: Evidence, view: View) -> Evidence | None:
    """Evidence for a device plugin that was not read: a label selects a configuration of it that gitgpu does not name.

    gitgpu's own plugin would not start on the nodes, because it has no such configuration.
    """
    name = nodes.labels.get(DEVICE_PLUGIN_CONFIG_LABEL)
    if not name or _OWN_NAME.fullmatch(name) or any(config.name == name for config in plugin_configs(view.objects)):
        return None
    reason = f"{driver.reason}, and the label {DEVICE_PLUGIN_CONFIG_LABEL}={name} selects a configuration of a device "
    return driver._replace(value=AKS_ONLY, reason=f"{reason}plugin that was not read", observed=nodes.nodes, pointer=())


def _needed(needed: Needed, driver: Evidence, view: View) -> Evidence:
    """Evidence for a device plugin that other nodes need too."""
    item, place = needed.daemon.place
    why = f"{needed.daemon.title} advertises the GPUs, also of {needed.pool}, where gitgpu's would not run"
    observed = view.original(item)
    return driver._replace(value=AKS_ONLY, reason=f"{driver.reason}, and {why}", observed=observed, pointer=place)


def _kept(driver: Evidence, view: View) -> Evidence | None:
    """Evidence for a device plugin or a DRA driver in whose place gitgpu's own would not do the same."""
    if owned := owned_software(view, PLUGIN, MPS):
        place = owned.place
        reason = f"{driver.reason}, and {place.observed.name} advertises the GPUs: {owned.reason}"
        return driver._replace(value=AKS_ONLY, reason=reason, observed=place.observed, pointer=place.pointer)
    for chart in installed_charts(view, *_WITH_PLUGIN):
        why, off = why_chart_stays(chart, view), _WITH_PLUGIN[chart.chart]
        if why and not (chart.release and chart.release.value(*off) is False):
            reason = f"{driver.reason}, and {chart.title} advertises the GPUs: {why}"
            return driver._replace(value=AKS_ONLY, reason=reason, observed=chart.observed, pointer=chart.pointer)
    return None


def _owners(nodes: PoolNodes, driver: Evidence, view: View) -> Iterator[Evidence]:
    """Evidence for a GPU Operator, an add-on, or a DRA driver without its chart, whose parts run on the nodes."""
    has_chart = any(installed_charts(view, DRA_DRIVER))
    for daemon in daemons(view.objects, *_WHAT):
        running = view.original(daemon.item)
        stays = is_add_on(running) or is_operated(running) or (daemon.provides == _CLAIMS and not has_chart)
        if (_by_operator(daemon) or stays) and runs_on(daemon, nodes, view):
            reason = f"{driver.reason}, and {daemon.title} {_WHAT[daemon.provides]}"
            item, place = daemon.place
            yield driver._replace(value=AKS_ONLY, reason=reason, observed=view.original(item), pointer=place)


def _refused(nodes: PoolNodes, driver: Evidence, view: View) -> Evidence | None:
    """Evidence that gitgpu's own device plugin cannot run, because AKS Automatic rejects its pods.

    If the excluded namespaces are not known, a device plugin in gitgpu's namespace shows that it is excluded.
    """
    excluded = view.cluster.azure.excluded
    if view.cluster.azure.sku != "automatic" or NAMESPACE in (excluded or ()):
        return None
    running_daemons = (daemon for daemon in daemons(view.objects, "device-plugin") if runs_on(daemon, nodes, view))
    plugin = next(running_daemons, None)
    if not plugin:
        return driver._replace(value=AKS_ONLY, reason=_UNKNOWN)
    item, place = plugin.place
    if excluded is None and item.identity.namespace == NAMESPACE:
        return None
    reason = f"{driver.reason}, {plugin.title} advertises the GPUs, and AKS Automatic rejects gitgpu's device plugin"
    return driver._replace(value=AKS_ONLY, reason=reason, observed=view.original(item), pointer=place)


def _shared(nodes: PoolNodes, driver: Evidence, view: View) -> Evidence | None:
    """Evidence for a device plugin that shares the GPUs in a way that needs another label of the nodes in the spec."""
    shared = default_sharing(nodes, view)
    if not shared:
        return None
    reason = f"{driver.reason}, and {shared.what}, which a partition does only with a label that the nodes do not have"
    return driver._replace(value=AKS_ONLY, reason=reason, observed=shared.place.observed, pointer=shared.place.pointer)


def _by_operator(daemon: Daemon) -> bool:
    """Whether it is a part of the GPU Operator, whose parts a node can opt out of."""
    return OPT_OUT.items() <= daemon.opt_out.items()
