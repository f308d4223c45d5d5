"""The outcome of each object of the GPU software: the stack replaces it, or it stays with its owner."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.stack.charts import OWNED, charts
from gitgpu.adopt.stack.drivers import adopted_objects
from gitgpu.adopt.stack.gpu_daemons import DETECTOR, DISCOVERY, EXPORTER, MPS, PLUGIN, is_made, is_ours, part_of
from gitgpu.adopt.stack.operated_images import why_operated_stays
from gitgpu.adopt.stack.own_scraping import gpu_endpoints
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.rdma import fabrics, why_policy_stays
from gitgpu.adopt.stack.settings import health
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.names.groups import AMD_GROUP, MELLANOX_GROUP, NVIDIA_GROUP
from gitgpu.model.names.kinds import CLUSTER_POLICY, DEVICE_CONFIG, NIC_CLUSTER_POLICY, NVIDIA_DRIVER
from gitgpu.objects.monitoring.counter_lists import counter_lists
from gitgpu.objects.objects import Item
from gitgpu.objects.software.mig_layouts import layouts
from gitgpu.objects.software.operands import is_operand
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.source import Pointer

_DRIVER, _EXPORTER, _HEALTH = ("driver",), ("metrics", "exporter"), ("health",)
_DISCOVERY, _SCRAPE = ("discovery",), ("metrics", "scrape")
_PARTS: Mapping[str, tuple[str, Pointer, tuple[str, ...]]] = {
    DISCOVERY: ("GPU Feature Discovery", _DISCOVERY, ("aks",)),
    MPS: ("the MPS control daemon", _DRIVER, ("aks",)),
    PLUGIN: ("the device plugin", _DRIVER, ("aks",)),
    EXPORTER: ("the DCGM exporter", _EXPORTER, ("aks",)),
    DETECTOR: ("a detector of GPU errors", _HEALTH, ()),
}  # for the software of a DaemonSet: its title, the key that installs it, and with which drivers
_KINDS: Mapping[str, tuple[Pointer, str]] = {
    CLUSTER_POLICY.kind: (_DRIVER, "the GPU Operator's chart creates it"),
    NVIDIA_DRIVER.kind: (_DRIVER, "gitgpu generates one for each pool with a driverBranch"),
    DEVICE_CONFIG.kind: (_DRIVER, "gitgpu generates it for AMD's operator"),
    NIC_CLUSTER_POLICY.kind: (_DRIVER, "gitgpu generates it for pools with rdma"),
}


def software(view: View) -> Iterator[Outcome]:
    """Outcomes of releases first, then of DaemonSets and their objects, custom resources, monitors and ConfigMaps."""
    yield from charts(view)
    seen: set[int] = set()
    for outcome in (*_running(view), *_monitors(view), *_configurations(view)):
        if id(outcome.observed) not in seen:
            seen.add(id(outcome.observed))
            yield outcome


def _running(view: View) -> Iterator[Outcome]:
    for observed in view.cluster.objects:
        yield from _daemon(observed, view)
        yield from _custom(observed, view)


def _daemon(observed: Observed, view: View) -> Iterator[Outcome]:
    """Outcomes of a DaemonSet of GPU software and of the objects that belong to it; none for other objects."""
    if is_operand(observed.body):
        yield Outcome(observed, Fate.LEFT, "created by a ClusterPolicy, read from there if passed")
        return
    name = part_of(observed.body)
    if not name or is_made(observed):
        return
    title, key, drivers = _PARTS[name]
    if owned := owned_software(view, name):
        yield Outcome(observed, Fate.LEFT, owned.reason)
        return
    if name == DETECTOR and not any(True for _ in health.infer(view)):
        yield Outcome(observed, Fate.LEFT, "nothing shows that it looks for GPU errors")
        return
    if drivers and not view.has(*drivers):
        yield Outcome(observed, Fate.LEFT, f"no pool has a driver setting that makes gitgpu install {title}")
        return
    where = into(view, key)
    reason = f"gitgpu installs {title} itself" + (
        "" if is_ours(observed) else ": delete this one once gitgpu's is running"
    )
    yield Outcome(observed, Fate.ADOPTED, reason, (), where)
    for other, why in _belonging(observed, view):
        yield Outcome(other, Fate.ADOPTED, f"{why} {observed.name}, which gitgpu replaces with {title}", (), where)


def into(view: View, key: Pointer) -> Destination:
    """The key of the stack that replaces an object."""
    return Destination("Cluster", view.cluster.name, ("spec", "stack", *key))


def _belonging(daemon: Observed, view: View) -> Iterator[tuple[Observed, str]]:
    """The ConfigMaps, account, roles, bindings and Services of a DaemonSet's pods, each with how it belongs to them."""
    pod = mapping_at(daemon.body, "spec", "template", "spec")
    labels = mapping_at(daemon.body, "spec", "template", "metadata", "labels")
    namespace = _meta(daemon).get("namespace")
    maps = {reach(volume, "configMap", "name") for volume in list_at(pod, "volumes")}
    account = pod.get("serviceAccountName")
    for other in view.cluster.objects:
        kind, meta = other.body.get("kind"), _meta(other)
        near = meta.get("namespace") == namespace
        if kind == "ConfigMap" and near and meta.get("name") in maps:
            yield other, "it configures"
        elif kind == "ServiceAccount" and near and meta.get("name") == account:
            yield other, "it is the ServiceAccount of"
        elif kind in ("ClusterRoleBinding", "RoleBinding") and account and _binds(other, account, namespace):
            yield other, "it binds the ServiceAccount of"
            yield from ((role, "it is a role of") for role in _roles(other, view))
        elif kind == "Service" and near and _selects(other, labels):
            yield other, "it selects the pods of"


def _meta(observed: Observed) -> Mapping[str, Any]:
    return mapping_at(observed.body, "metadata")


def _binds(binding: Observed, account: Any, namespace: Any) -> bool:
    subjects = [mapping_at(subject) for subject in list_at(binding.body, "subjects")]
    wanted = {"kind": "ServiceAccount", "name": account, "namespace": namespace}
    # A binding that others share stays with its owner.
    return bool(subjects) and all(wanted.items() <= subject.items() for subject in subjects)


def _roles(binding: Observed, view: View) -> Iterator[Observed]:
    role = mapping_at(binding.body, "roleRef")
    for other in view.cluster.objects:
        same = other.body.get("kind") == role.get("kind") and _meta(other).get("name") == role.get("name")
        if same and _meta(other).get("namespace") == _meta(binding).get("namespace"):
            yield other


def _selects(service: Observed, labels: Mapping[str, Any]) -> bool:
    selector = mapping_at(service.body, "spec", "selector")
    return bool(selector) and selector.items() <= labels.items()


def _custom(observed: Observed, view: View) -> Iterator[Outcome]:
    kind = str(observed.body.get("kind"))
    family = str(observed.body.get("apiVersion")).partition("/")[0]
    if kind in _KINDS and family in (NVIDIA_GROUP, AMD_GROUP, MELLANOX_GROUP):
        key, reason = _KINDS[kind]
        if kind in (CLUSTER_POLICY.kind, NVIDIA_DRIVER.kind) and not view.has("operator"):
            yield Outcome(observed, Fate.LEFT, OWNED if view.has(AKS_ONLY) else "no pool has driver: operator")
            return
        if kind == DEVICE_CONFIG.kind and (why := why_operated_stays(view, kind)):
            yield Outcome(observed, Fate.LEFT, why)
            return
        if kind == NIC_CLUSTER_POLICY.kind and (why := why_policy_stays(view)):
            yield Outcome(observed, Fate.LEFT, why)
            return
        if kind == NIC_CLUSTER_POLICY.kind and (why := _why_unused(view)):
            yield Outcome(observed, Fate.LEFT, why)
            return
        if kind == NVIDIA_DRIVER.kind and not _is_default(observed) and id(observed) not in adopted_objects(view):
            yield Outcome(observed, Fate.LEFT, "no pool of the fleet has a driverBranch for it")
            return
        yield Outcome(observed, Fate.ADOPTED, reason, (), into(view, key))


def _why_unused(view: View) -> str:
    """Why no pool of the fleet needs a NicClusterPolicy; "" if one does."""
    ways = {evidence.value for evidence in fabrics(view) if evidence.fate is not Fate.INEXPRESSIBLE}
    if ways == {"managed"}:
        return "AKS manages the NICs of all pools with InfiniBand"
    return "" if ways else "it serves the NICs of no pool of the fleet"


def _is_default(observed: Observed) -> bool:
    """Whether it is the NVIDIADriver that the GPU Operator's chart creates."""
    return _meta(observed).get("name") == "default"


def _monitors(view: View) -> Iterator[Outcome]:
    if not view.has("aks", "operator", "managed"):
        return  # gitgpu writes no monitor
    owned = owned_software(view, EXPORTER)
    for endpoint in gpu_endpoints(view):
        observed = view.original(endpoint.item)
        if owned and not is_ours(observed):
            yield Outcome(observed, Fate.LEFT, f"it belongs to an exporter that stays: {owned.reason}")
        else:
            ours = "" if is_ours(observed) else ": delete this one once gitgpu's exists"
            yield Outcome(observed, Fate.ADOPTED, f"gitgpu writes the monitor{ours}", (), into(view, _SCRAPE))


def _configurations(view: View) -> Iterator[Outcome]:
    """Outcomes of ConfigMaps that a release or an agent reads and no DaemonSet mounts."""
    if not view.has("aks", "operator"):
        return  # gitgpu installs nothing that reads them
    configurations: list[tuple[Item, str, Pointer]] = [
        (config.item, "configurations of the device plugin", _DRIVER) for config in plugin_configs(view.objects)
    ]
    configurations += [(layout.item, "MIG layouts", _DRIVER) for layout in layouts(view.objects)]
    configurations += [
        (counters.item, "counters of an exporter", ("metrics", "counters")) for counters in counter_lists(view.objects)
    ]
    for item, what, key in configurations:
        if item.identity.kind == "ConfigMap":
            yield Outcome(
                view.original(item), Fate.ADOPTED, f"it contains {what}, which gitgpu writes", (), into(view, key)
            )
