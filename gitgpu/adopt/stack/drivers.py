"""Who installs the GPU driver on the nodes of each pool, according to node classes, node pools and releases."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence, ObservedPlace, default_of
from gitgpu.adopt.stack.installed import InstalledChart, installed_charts
from gitgpu.adopt.stack.operated_images import why_operated_stays
from gitgpu.adopt.stack.other_owners import other_owners
from gitgpu.adopt.stack.reached_nodes import may_be_labelled, runs_on
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.model.driver_owner import AKS_ONLY, MANAGED_TAG
from gitgpu.model.names.kinds import DEVICE_CONFIG, NVIDIA_DRIVER
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.model.software.drivers import operator_driver
from gitgpu.objects.gitops.chart_values import OPERATOR
from gitgpu.objects.node.agent_pools import AgentPool
from gitgpu.objects.node.gpu_pools import GpuPool, tag
from gitgpu.objects.objects import Item
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.plan.driver import OPT_OUT
from gitgpu.source import Pointer

_ORDER = ("aks", AKS_ONLY, "operator", "managed", "none")
_SKIPPED = "SkipGPUDriverInstall"  # until August 2025, AKS installed no driver on node pools with this tag
_MODE: Pointer = ("spec", "gpu", "mode")


def pool_drivers(view: View) -> dict[str, Evidence]:
    """Who installs the driver of each pool, by the name of the pool."""
    drivers = {nodes.pool.name: _driver(nodes, view) for nodes in view.pools}
    owners = other_owners(drivers, view)
    return {name: owners.get(name, evidence) for name, evidence in drivers.items()}


def stack_driver(drivers: dict[str, Evidence]) -> str:
    """The driver that most pools have; if several are equally frequent, the one that the spec lists first."""
    counted = Counter(evidence.value for evidence in drivers.values())
    default: str = default_of(("driver",))
    return max(_ORDER, key=lambda driver: (counted[driver], -_ORDER.index(driver))) if counted else default


def pool_keys(view: View, drivers: dict[str, Evidence]) -> Iterator[Evidence]:
    """Evidence for keys of single pools: a driver that differs from the stack's, and keys that belong to it."""
    default = stack_driver(drivers)
    for nodes in view.pools:
        evidence = drivers[nodes.pool.name]
        if evidence.value != default:
            yield evidence
        yield from _own_plugin(nodes, evidence, view)
        yield from _driver_type(nodes)
        yield from _branch(nodes, evidence.value, view)


def _driver(nodes: PoolNodes, view: View) -> Evidence:
    """Who installs the driver of a pool, from the AKSNodeClass or the node pool."""
    if nodes.maker == "amd":
        return _amd(nodes, view)
    if nodes.agent:
        return _agent_evidence(nodes, nodes.agent, view)
    if nodes.karpenter and nodes.karpenter.node_class:
        return _class_evidence(nodes, nodes.karpenter, nodes.karpenter.node_class, view)
    return _evidence(nodes, "aks", "its AKSNodeClass was not read: AKS installs the driver unless it turns that off")


def _class_evidence(nodes: PoolNodes, pool: GpuPool, node_class: Item, view: View) -> Evidence:
    """Who installs the driver of a NodePool, from its AKSNodeClass."""
    title = f"AKSNodeClass {node_class.identity.name}"
    observed = view.original(node_class)
    if pool.managed and pool.mode == "Driver":
        name, _ = tag(node_class)
        reason = f"the tag {name} of {title} makes AKS manage its GPUs"
        return _evidence(nodes, "managed", reason, ObservedPlace(observed, ("spec", "tags", name)))
    if pool.mode == "None":
        return _without_aks(nodes, view, f"{title} sets gpu.mode: None", ObservedPlace(observed, _MODE))
    written = reach(node_class.body, *_MODE) is not None
    reason = f"{title} {'sets' if written else 'leaves'} gpu.mode at Driver"
    return _evidence(nodes, "aks", reason, ObservedPlace(observed, _MODE if written else ()))


def _agent_evidence(nodes: PoolNodes, agent: AgentPool, view: View) -> Evidence:
    """Who installs the driver of an AKS node pool, from its gpuProfile and its tags."""
    profile = mapping_at(agent.spec, "gpuProfile")
    if str(reach(profile, "nvidia", "managementMode")).lower() == "managed":
        place = ObservedPlace(nodes.nodes, agent.place("gpuProfile", "nvidia", "managementMode"))
        return _evidence(nodes, "managed", "its gpuProfile.nvidia.managementMode is Managed", place)
    if (managed := _true_tag(agent, MANAGED_TAG)) and not _is_off(profile):
        # The property cannot be set on a running pool, and gitgpu would set it for `managed`.
        reason = f"the tag {managed} makes AKS manage its GPUs"
        return _evidence(nodes, AKS_ONLY, reason, ObservedPlace(nodes.nodes, agent.place("tags", managed)))
    skip_tag = _true_tag(agent, _SKIPPED)
    if skip_tag:
        reason = f"the retired tag {skip_tag} keeps AKS from installing the driver (lint: APL010)"
        return _without_aks(nodes, view, reason, ObservedPlace(nodes.nodes, agent.place("tags", skip_tag)))
    if _is_off(profile):
        place = ObservedPlace(nodes.nodes, agent.place("gpuProfile", "driver"))
        return _without_aks(nodes, view, "its gpuProfile sets driver: None", place)
    if "driver" in profile:
        place = ObservedPlace(nodes.nodes, agent.place("gpuProfile", "driver"))
        return _evidence(nodes, "aks", "its gpuProfile sets driver: Install", place)
    return _evidence(nodes, "aks", "its gpuProfile has no driver: AKS installs one")


def _is_off(profile: Mapping[str, Any]) -> bool:
    return str(profile.get("driver") or "").lower() == "none"


def _true_tag(agent: AgentPool, name: str) -> str:
    """The tag of this name with the value true, as written; "" without one. Names of tags are not case-sensitive."""
    for key, value in mapping_at(agent.spec, "tags").items():
        if key.lower() == name.lower() and _true(value):
            return key
    return ""


def _without_aks(nodes: PoolNodes, view: View, reason: str, place: ObservedPlace) -> Evidence:
    """The driver if AKS installs none: the GPU Operator's if that runs there, else none."""
    operator = next((daemon for daemon in daemons(view.objects, "driver") if _installs(daemon, nodes, view)), None)
    for chart in installed_charts(view, OPERATOR) if operator else ():
        if why := why_chart_stays(chart, view) or _why_rejected(chart, view):
            return _evidence(nodes, "none", f"{reason}; {why}", place)
    if operator:
        both = f"{reason}, and {operator.title} installs a driver"
        return _evidence(nodes, "operator", both, place)
    return _evidence(nodes, "none", f"{reason}, and no GPU Operator installs one", place)


def _why_rejected(chart: InstalledChart, view: View) -> str:
    """Why AKS Automatic rejects the pods of the GPU Operator; "" if it does not, or if that is not known."""
    azure, namespace = view.cluster.azure, view.catalog.must("charts", chart.chart)["namespace"]
    if azure.sku != "automatic" or azure.excluded is None or namespace in azure.excluded:
        return ""
    return f"AKS Automatic rejects the pods of {chart.title}: {namespace} is not excluded from its safeguards"


def _installs(daemon: Daemon, nodes: PoolNodes, view: View) -> bool:
    """Whether a driver of the operator is on the nodes. In an AKS node pool, labels decide this, not taints."""
    if not nodes.agent:
        return runs_on(daemon, nodes, view)
    return not OPT_OUT.items() <= nodes.labels.items() and may_be_labelled(daemon, nodes, view)


def _amd(nodes: PoolNodes, view: View) -> Evidence:
    """The driver of AMD's GPUs, for which AKS installs none."""
    configs = list(view.objects.of(*DEVICE_CONFIG))
    charts = installed_charts(view, "amd-gpu-operator")
    owner = charts[0].title if charts else ""
    if configs:
        owner = f"DeviceConfig {configs[0].identity.name} of AMD's operator"
    if owner and (why := why_operated_stays(view, DEVICE_CONFIG.kind) or _why_unread(configs, charts)):
        return _evidence(nodes, "none", f"the GPUs are from AMD, and {owner} manages them: {why}")
    if configs:
        reason = f"the GPUs are from AMD, and {owner} manages them"
        return _evidence(nodes, "operator", reason, ObservedPlace(view.original(configs[0]), ()))
    if charts:
        return _evidence(nodes, "operator", f"the GPUs are from AMD, and {owner} runs")
    return _evidence(
        nodes, "none", "the GPUs are from AMD: AKS does not install a driver for them, and no operator runs"
    )


def _why_unread(configs: Sequence[Item], charts: Sequence[InstalledChart]) -> str:
    """Why AMD's operator stays with its owner: its chart has created a DeviceConfig, and gitgpu would add another.

    Two that select the same nodes contradict each other.
    """
    releases = [chart.release for chart in charts if chart.release]
    if configs or not releases or releases[0].value("crds", "defaultCR", "install") is False:
        return ""
    return (
        "its chart creates a DeviceConfig, and the input contains none: it stays as it is; to manage it, pass the "
        "output of `kubectl get deviceconfigs -A -o yaml` too"
    )


def _own_plugin(nodes: PoolNodes, driver: Evidence, view: View) -> Iterator[Evidence]:
    if nodes.maker == "amd" and driver.value == "none" and not nodes.windows:
        if any(view.objects.of(*DEVICE_CONFIG)):
            return  # the plugin of AMD's operator
        plugins = (plugin for plugin in daemons(view.objects, "amd-device-plugin") if runs_on(plugin, nodes, view))
        if plugin := next(plugins, None):
            reason = f"{plugin.title} runs AMD's device plugin"
            place = ObservedPlace(view.original(plugin.item), ())
            yield _evidence(nodes, True, reason, place)._replace(path=("devicePlugin",))


def _driver_type(nodes: PoolNodes) -> Iterator[Evidence]:
    """The type of driver that a Windows node pool sets; on Linux the size decides."""
    kind = reach(nodes.agent.spec, "gpuProfile", "driverType") if nodes.agent else None
    if kind and nodes.windows and nodes.agent:
        place = nodes.agent.place("gpuProfile", "driverType")
        reason = f"its gpuProfile.driverType is {kind}"
        yield Evidence(("driverType",), str(kind).upper(), reason, nodes.nodes, place, nodes.pool.name)


def adopted_objects(view: View) -> set[int]:
    """The NVIDIADrivers that gitgpu generates in the same way, by the id of their object."""
    found: set[int] = set()
    for nodes in view.pools:
        branches = _branch(nodes, view.drivers.get(nodes.pool.name, ""), view)
        found |= {id(evidence.observed) for evidence in branches if evidence.fate is not Fate.INEXPRESSIBLE}
    return found


def _branch(nodes: PoolNodes, driver: str, view: View) -> Iterator[Evidence]:
    """The driver branch that an NVIDIADriver installs, if gitgpu would generate the same one for the pool.

    Two NVIDIADrivers that select the same nodes leave all pools without a driver, and another version replaces it.
    """
    if driver != "operator" or nodes.maker != "nvidia":
        return
    names = {(NODEPOOL_LABEL, nodes.karpenter.name)} if nodes.karpenter else set()
    names |= {(AGENTPOOL_LABEL, nodes.agent.name)} if nodes.agent else set()
    for item in view.objects.of(*NVIDIA_DRIVER):
        selector = mapping_at(item.body, "spec", "nodeSelector")
        version = str(reach(item.body, "spec", "version") or "")
        if version and names & set(selector.items()):
            branch = version.partition(".")[0]
            ours = operator_driver(branch, view.catalog)
            evidence = _evidence(
                nodes,
                branch,
                f"NVIDIADriver {item.identity.name} installs {version} on its nodes",
                ObservedPlace(view.original(item), ("spec", "version")),
            )._replace(path=("driverBranch",))
            if item.identity.name == nodes.pool.name and ours and ours["version"] == version:
                yield evidence
            else:
                what = f"NVIDIADriver {nodes.pool.name} with {ours['version'] if ours else 'no driver'}"
                reason = f"{evidence.reason}, where gitgpu would write {what}: it stays as it is, without driverBranch"
                yield evidence._replace(reason=reason, fate=Fate.INEXPRESSIBLE)


def _evidence(nodes: PoolNodes, value: Any, reason: str, place: ObservedPlace | None = None) -> Evidence:
    observed, pointer = place or ObservedPlace(nodes.nodes, ())
    return Evidence(("driver",), value, reason, observed, pointer, nodes.pool.name)


def _true(value: Any) -> bool:
    return str(value).lower() == "true"
