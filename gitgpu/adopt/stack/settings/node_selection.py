"""How gitgpu's software selects nodes: by labels, which is the default, or by the names of pools where that is safer.

DaemonSets of gitgpu that run keep what they have. If none runs, names are safer in two cases. Nodes that are not in the
fleet have the label too, and other software may run there. Or an operator runs: Node Feature Discovery, often a part of
its release, would move to a release of its own, and its tolerations and drivers would change.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import is_ours
from gitgpu.adopt.stack.installed import InstalledChart, installed_charts
from gitgpu.adopt.stack.rdma import fabrics
from gitgpu.adopt.stack.view import View, agent_pool
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.model.names.labels import AGENTPOOL_LABEL, DEPLOY_OPERANDS_LABEL, NODEPOOL_LABEL, POOL_LABEL
from gitgpu.model.software.names import NODE_FEATURE_DISCOVERY
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.plan.driver import OPT_OUT
from gitgpu.plan.rdma import NICS
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


def infer(view: View) -> Iterator[Evidence]:
    """What the software of gitgpu has; without any, `pools` if one of the reasons applies to the pools of the fleet."""
    own_objects = list(filter(is_ours, view.cluster.objects))
    running = next(_running(own_objects), None)
    if running:
        yield running
    elif not any(map(_is_discovery, own_objects)):
        yield from _labelled_elsewhere(view)
        yield from _operators(view)


def has_own_discovery(view: View) -> bool:
    """Whether operators of the fleet use a release of Node Feature Discovery that gitgpu has installed for them."""
    own_objects = filter(is_ours, view.cluster.objects)
    return any(map(_is_discovery, own_objects)) and any(_installed_operators(view))


def _running(own_objects: Sequence[Observed]) -> Iterator[Evidence]:
    """Evidence from each DaemonSet: those that select by labels come first, others can run with them."""
    terms = {id(each): list_at(each.body, *_TERMS) for each in own_objects if each.body.get("kind") == "DaemonSet"}
    daemons = [each for each in own_objects if terms.get(id(each))]
    for_one = [each for each in daemons if POOL_LABEL in mapping_at(each.body, "metadata", "labels")]
    by_name = [each for each in daemons if each not in for_one and _names_pools(terms[id(each)])]
    for observed in daemons:
        if observed not in (*for_one, *by_name):
            reason = f"{observed.name} selects nodes by labels"
            yield Evidence(_PATH, "labels", reason, observed, _TERMS, fate=Fate.ADOPTED)
    for observed in by_name:
        reason = f"{observed.name} selects nodes by the names of pools"
        yield Evidence(_PATH, "pools", reason, observed, _TERMS, fate=Fate.ADOPTED)
    for observed in for_one:
        reason = f"{observed.name} is for the nodes of one pool"
        yield Evidence(_PATH, "labels", reason, observed, _TERMS, fate=Fate.ADOPTED)


def _names_pools(terms: Sequence[Any]) -> bool:
    rules = [rule for term in terms for rule in list_at(term, "matchExpressions")]
    return any(text_at(rule, "key") in _OF_POOLS and text_at(rule, "operator") == "In" for rule in rules)


def _is_discovery(observed: Observed) -> bool:
    """Whether it is a release of Node Feature Discovery. In Argo CD, its name begins with that of the cluster."""
    return text_at(observed.body, "metadata", "name").rpartition(".")[2] == NODE_FEATURE_DISCOVERY


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


def _operators(view: View) -> Iterator[Evidence]:
    for chart in _installed_operators(view):
        reason = (
            f"{chart.title} runs: Node Feature Discovery and its pods stay as they are with the names of pools only"
        )
        yield Evidence(_PATH, "pools", reason, chart.observed, chart.pointer)


def _installed_operators(view: View) -> Iterator[InstalledChart]:
    """The operators that the nodes of the fleet need, and that the fleet takes over."""
    charts = ["gpu-operator", "amd-gpu-operator"] if view.has("operator") else []
    charts += ["network-operator"] if any(evidence.value in NICS for evidence in fabrics(view)) else []
    return (chart for chart in installed_charts(view, *charts) if not why_chart_stays(chart, view))
