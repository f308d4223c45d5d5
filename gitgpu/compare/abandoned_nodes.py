"""What stops on the running nodes of a pool: everything that selected them by pool, and no longer does.

That happens if the pool is removed before it has retired, and if something else provides the driver of its new nodes.

Objects select nodes by a label that identifies the pool, in an affinity, a node selector or the values of a chart.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.compare.change import Change
from gitgpu.compare.chart_values import values_of
from gitgpu.compare.nodes import Pool
from gitgpu.compare.running_nodes import node_labels, running_nodes
from gitgpu.compare.snapshot import Key, OverlayObject
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    HELM_RELEASE,
    MANAGED_CLUSTERS_AGENT_POOL,
    NIC_CLUSTER_POLICY,
    NODE_POOL,
    NVIDIA_DRIVER,
    RESOURCE_FLAVOR,
)
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.model.software.drivers import OPERATORS
from gitgpu.model.software.names import DEVICE_PLUGIN, NODE_FEATURE_DISCOVERY, daemon_of
from gitgpu.model.syntax.quantity import FORM, quantity
from gitgpu.objects.node.selection import PoolNodes, selects
from gitgpu.plan.driver import OPT_OUT
from gitgpu.plan.placement import RETIRING

_POOLS = (NODE_POOL.kind, AKS_NODE_CLASS.kind, MANAGED_CLUSTERS_AGENT_POOL.kind)
_MEANS = {  # by the software of a DaemonSet, or by kind
    DEVICE_PLUGIN: "the nodes no longer advertise GPUs: running pods keep theirs, new pods get none",
    "amd-device-plugin": "the nodes no longer advertise GPUs: running pods keep theirs, new pods get none",
    "nvidia-mps-control-daemon": "pods that share a GPU through MPS lose the MPS server",
    "dcgm-exporter": "no GPU metrics, so no scaling and no alerts",
    "amdgpu-driver": "no driver is installed on them",
    "gpu-problem-detector": "GPU health is no longer monitored",
    "gpu-feature-discovery": "GPU labels are no longer set",
    "nvidia-peermem": "GPUs no longer exchange data with InfiniBand NICs directly",
    NVIDIA_DRIVER.kind: "the operator removes its driver",
    NIC_CLUSTER_POLICY.kind: "InfiniBand is no longer configured",
    HELM_RELEASE.kind: "the components of the chart that select the pool by name",
    APPLICATION.kind: "the components of the chart that select the pool by name",
    RESOURCE_FLAVOR.kind: "Kueue admits no more pods to them",
}
_OPERATORS = {operator.chart: maker for maker, operator in OPERATORS.items()}
_UNINSTALLED = "the chart is uninstalled"
_UNSEEN = "Node Feature Discovery no longer runs on them: they keep the labels that they have"


def retires(pool: Pool) -> bool:
    """Whether its limits or taints prevent new nodes and pods."""
    if pool.kind == NODE_POOL.kind:
        limits = reach(pool.body, "spec", "limits")
        amounts = limits.values() if isinstance(limits, Mapping) else ()
        return any(FORM.match(str(limit)) and quantity(str(limit)) == 0 for limit in amounts)
    return "{}={}:{}".format(*RETIRING) in list_at(pool.body, "spec", "nodeTaints")


def stops(pool: Pool, changes: Sequence[Change], kept: Collection[Key]) -> Iterator[str]:
    """What the changes remove from the nodes of the pool, one line each. Objects in `kept` stay on the cluster."""
    left = [change for change in changes if change.before and change.before.key not in kept]
    yield from _leaving(pool, left, changes)
    layout = node_labels(pool).get(MIG_CONFIG_LABEL, "")
    for change in left if layout else ():
        was, now = change.before, change.after
        # The name of a layout is a key in the text of a ConfigMap, so objects are searched as text.
        if was and now and not _is_skipped(was) and layout in str(was.body) and layout not in str(now.body):
            yield f"{was.name}: the MIG layout {layout} is removed, and restarted nodes are not partitioned"


def stops_on_staying_pool(pool: Pool, changes: Sequence[Change]) -> Iterator[str]:
    """What the changes remove from the running nodes of a pool that stays, one line each.

    If an NVIDIADriver is removed, the default driver of the operator takes over.
    """
    left = [change for change in changes if change.object.identity.kind != NVIDIA_DRIVER.kind]
    yield from _leaving(pool, left, changes)


def _leaving(pool: Pool, left: Sequence[Change], changes: Sequence[Change]) -> Iterator[str]:
    """What selected the running nodes of the pool, and no longer does.

    Something with the same purpose may take over, such as the other exporter.
    """
    nodes = running_nodes(pool)
    taken_over = _taken_over(nodes, changes)
    for change in left:
        was, now = change.before, change.after.body if change.after else {}
        if was is None or _is_skipped(was):
            continue
        if (selects(was.body, nodes) and not selects(now, nodes)) or _is_operated(change, pool, changes):
            meaning = _meaning(was, nodes, gone=change.after is None)
            if meaning not in taken_over:
                yield f"{was.name}: {meaning}"


def _is_skipped(was: OverlayObject) -> bool:
    return was.is_patch or was.identity.kind in _POOLS or was.layer == "sync"


def _is_operated(change: Change, pool: Pool, changes: Sequence[Change]) -> bool:
    """Whether an operator is uninstalled that runs where Node Feature Discovery labels the nodes of the pool."""
    maker = _OPERATORS.get(change.object.identity.name)
    if change.after or change.object.identity.kind != HELM_RELEASE.kind or not maker:
        return False
    nodes = running_nodes(pool)
    of_maker = not pool.skus or any(sku.manufacturer == maker for sku in pool.skus)
    is_opted_out = maker == "nvidia" and OPT_OUT.items() <= node_labels(pool).items()
    releases = (each.before for each in changes if each.before and each.before.identity.name == NODE_FEATURE_DISCOVERY)
    return of_maker and not is_opted_out and any(selects(release.body, nodes) for release in releases)


def _taken_over(nodes: PoolNodes, changes: Sequence[Change]) -> set[str]:
    """What software of other objects does on the nodes after the changes."""
    objects = [change.after for change in changes if change.after and selects(change.after.body, nodes)]
    software = {_of_daemon(obj) for obj in objects} - {""}
    return software | ({_UNSEEN} if any(selects(_worker(obj), nodes) for obj in objects) else set())


def _worker(release: OverlayObject) -> Mapping[str, Any]:
    """The values of the worker of Node Feature Discovery, which other charts include; {} without one."""
    values = values_of(release.body)
    # Argo CD's has the name of the cluster before a dot.
    is_own = release.identity.name.rpartition(".")[2] == NODE_FEATURE_DISCOVERY
    return mapping_at(values, "worker") if is_own else mapping_at(values, NODE_FEATURE_DISCOVERY, "worker")


def _of_daemon(obj: OverlayObject) -> str:
    """What it means for a node that it loses a DaemonSet of gitgpu; "" for other objects."""
    software = daemon_of(obj.identity.name) if obj.identity.kind == "DaemonSet" else ""
    return _MEANS[software] if software else ""


def _meaning(was: OverlayObject, nodes: PoolNodes, *, gone: bool) -> str:
    kind = was.identity.kind
    if gone and kind == HELM_RELEASE.kind:
        return _UNINSTALLED
    if selects(_worker(was), nodes):  # no chart that includes it selects nodes for anything else
        return _UNSEEN
    return _of_daemon(was) or _MEANS.get(kind) or "its pods are removed from these nodes"
