"""How gitgpu's software selects nodes: by labels, which is the default, or by the names of pools where that is safer.

DaemonSets of gitgpu that run keep what they have. If none runs, names are safer in two cases. Nodes that are not in the
fleet have the label too, and other software may run there. Or a release of an operator includes Node Feature Discovery:
the labels would be gone for a moment, and with them the operator's software.
"""

from collections.abc import Iterator, Mapping

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import is_ours
from gitgpu.adopt.stack.installed import InstalledChart, installed_charts
from gitgpu.adopt.stack.rdma import fabrics
from gitgpu.adopt.stack.view import View, agent_pool
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import CLUSTER_POLICY, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.model.names.labels import (
    AGENTPOOL_LABEL,
    APP_INSTANCE_LABEL,
    DEPLOY_OPERANDS_LABEL,
    NODEPOOL_LABEL,
    POOL_LABEL,
)
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.plan.driver import OPT_OUT
from gitgpu.source import Pointer

_PATH = ("nodeSelection",)
_TERMS: Pointer = (
    *("spec", "template", "spec", "affinity", "nodeAffinity"),
    *("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"),
)
_LABELS: Mapping[str, Pointer] = {
    NODE_POOL.kind: ("spec", "template", "metadata", "labels"),
    MANAGED_CLUSTERS_AGENT_POOL.kind: ("spec", "nodeLabels"),
}
_OF_POOLS = (AGENTPOOL_LABEL, NODEPOOL_LABEL)
_GPU_OPERATORS, _NIC_OPERATORS = ("gpu-operator", "amd-gpu-operator"), ("network-operator",)
_WITHOUT_VALUES = ("Deployment", "DaemonSet", CLUSTER_POLICY.kind)  # what shows a chart, but not all of its values
_MOVED = "a release of its own would remove its labels for a moment, and with them the operator's software"


def infer(view: View) -> Iterator[Evidence]:
    """What DaemonSets of gitgpu have; without any, `pools` if one of the reasons applies to the pools of the fleet."""
    running = list(_running(view))
    yield from running or (*_labelled_elsewhere(view), *_included_discovery(view))


def has_own_discovery(view: View) -> bool:
    """Whether an operator of the fleet uses a release of Node Feature Discovery that is not part of its own."""
    return bool(_operators(view)) and all(evidence.value == "labels" for evidence in infer(view))


def _running(view: View) -> Iterator[Evidence]:
    for observed in view.cluster.objects:
        terms = list_at(observed.body, *_TERMS) if observed.body.get("kind") == "DaemonSet" else []
        if not terms or not is_ours(observed):
            continue
        value, how = "labels", "selects nodes by labels"
        if POOL_LABEL in mapping_at(observed.body, "metadata", "labels"):
            how = "is for the nodes of one pool"
        elif _names_pools(terms):
            value, how = "pools", "selects nodes by the names of pools"
        reason = f"{observed.name} {how}"
        yield Evidence(_PATH, value, reason, observed, _TERMS, fate=Fate.ADOPTED)


def _names_pools(terms: list[object]) -> bool:
    rules = [rule for term in terms for rule in list_at(term, "matchExpressions")]
    return any(text_at(rule, "key") in _OF_POOLS and text_at(rule, "operator") == "In" for rule in rules)


def _labelled_elsewhere(view: View) -> Iterator[Evidence]:
    """Pools that are not in the fleet, and on whose nodes gitgpu's DaemonSets for the driver of AKS would run too."""
    if not any(view.drivers.get(nodes.pool.name) == "aks" and not nodes.windows for nodes in view.pools):
        return
    managed = (view.original(pool.pool.item) for pool in gpu_pools(view.objects) if pool.managed)
    safe_pools = {id(observed) for observed in (*managed, *(nodes.nodes for nodes in view.pools))}
    for observed in view.cluster.objects:
        place = _LABELS.get(str(observed.body.get("kind")), ())
        is_labelled = bool(place) and OPT_OUT.items() <= mapping_at(observed.body, *map(str, place)).items()
        if is_labelled and id(observed) not in safe_pools and not agent_pool(observed).manages_gpus:
            reason = f"{observed.name} is not in the fleet, and its nodes have the label {DEPLOY_OPERANDS_LABEL} too"
            yield Evidence(_PATH, "pools", reason, observed, (*place, DEPLOY_OPERANDS_LABEL))


def _included_discovery(view: View) -> Iterator[Evidence]:
    """An operator of the fleet whose release includes Node Feature Discovery."""
    running = list(daemons(view.objects, "feature-discovery"))
    for chart in _operators(view):
        if any(_is_part_of(daemon, chart, view) for daemon in running):
            reason = f"{chart.title} includes Node Feature Discovery: {_MOVED}"
        elif not running and chart.observed.body.get("kind") in _WITHOUT_VALUES:
            reason = f"{chart.title} may include Node Feature Discovery, which was not read: {_MOVED}"
        else:
            continue
        yield Evidence(_PATH, "pools", reason, chart.observed, chart.pointer)
        return


def _operators(view: View) -> list[InstalledChart]:
    """The operators that the nodes of the fleet need."""
    has_nics = any(found.fate is not Fate.INEXPRESSIBLE and found.value != "managed" for found in fabrics(view))
    charts = (*(_GPU_OPERATORS if view.has("operator") else ()), *(_NIC_OPERATORS if has_nics else ()))
    return installed_charts(view, *charts)


def _is_part_of(daemon: Daemon, chart: InstalledChart, view: View) -> bool:
    """Whether a release of the chart has installed it: it is in its values, or both belong to one release of Helm."""
    observed = view.original(daemon.item)
    release = _release(observed)
    return observed is chart.observed if daemon.release else release != "" and release == _release(chart.observed)


def _release(observed: Observed) -> str:
    return text_at(observed.body, "metadata", "labels", APP_INSTANCE_LABEL)
