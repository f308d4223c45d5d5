"""How gitgpu's DaemonSets select nodes: by a label of the nodes, or by the names of pools.

By the label, a further pool restarts none of them. A cluster keeps the names if DaemonSets of gitgpu use them already,
if nodes that are not in the fleet have the label too, where other software may run, and if operators run: Node Feature
Discovery inside one of them would become a release of its own.
"""

from collections.abc import Iterator, Mapping

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import is_ours
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.rdma import fabrics
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.model.names.labels import AGENTPOOL_LABEL, DEPLOY_OPERANDS_LABEL, NODEPOOL_LABEL
from gitgpu.model.software.names import daemon_of
from gitgpu.objects.gitops.chart_values import OPERATOR
from gitgpu.plan.discovery import CHART as DISCOVERY
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


def infer(view: View) -> Iterator[Evidence]:
    """How the DaemonSets of gitgpu select nodes, if they run; else `pools` where `labels` would change what runs."""
    own_objects = list(filter(is_ours, view.cluster.objects))
    daemons = [observed for observed in own_objects if observed.body.get("kind") == "DaemonSet"]
    by_label = next((each for each in daemons if DEPLOY_OPERANDS_LABEL in _keys(each)), None)
    by_name = next(filter(_names_pools, daemons), None)
    if by_label:
        reason = f"{by_label.name} selects nodes by the label {DEPLOY_OPERANDS_LABEL}"
        yield Evidence(_PATH, "labels", reason, by_label, _TERMS, fate=Fate.ADOPTED)
    elif by_name:
        reason = f"{by_name.name} selects nodes by the names of pools"
        yield Evidence(_PATH, "pools", reason, by_name, _TERMS, fate=Fate.ADOPTED)
    elif not any(map(_installs_discovery, own_objects)):
        yield from _changing(view)


def _keys(observed: Observed) -> set[str]:
    """The labels by which a DaemonSet selects nodes."""
    rules = (rule for term in list_at(observed.body, *_TERMS) for rule in list_at(term, "matchExpressions"))
    return {text_at(rule, "key") for rule in rules}


def _names_pools(observed: Observed) -> bool:
    """Whether it is one for several pools that lists them. With `labels`, some are for a single pool."""
    name = text_at(observed.body, "metadata", "name")
    return name == daemon_of(name) and bool(_keys(observed) & {NODEPOOL_LABEL, AGENTPOOL_LABEL})


def _installs_discovery(observed: Observed) -> bool:
    return text_at(observed.body, "metadata", "name").endswith(DISCOVERY)


def _changing(view: View) -> Iterator[Evidence]:
    """Evidence for what `labels` would change: an operator that the fleet takes over, and nodes outside the fleet."""
    operators = [OPERATOR, "amd-gpu-operator"] if view.has("operator") else []
    operators += ["network-operator"] if any(evidence.value in NICS for evidence in fabrics(view)) else []
    for chart in installed_charts(view, *operators):
        if not why_chart_stays(chart, view):
            reason = f"{chart.title} runs, and Node Feature Discovery stays as it is only with nodeSelection: pools"
            yield Evidence(_PATH, "pools", reason, chart.observed, chart.pointer)
    for observed in view.cluster.objects:
        if view.has("aks") and _is_labelled(observed, view):
            reason = f"{observed.name} is not in the fleet, and has the label {DEPLOY_OPERANDS_LABEL} too"
            yield Evidence(_PATH, "pools", reason, observed)


def _is_labelled(observed: Observed, view: View) -> bool:
    """Whether it creates nodes with the label, and is not a pool of the fleet."""
    labels = mapping_at(observed.body, *_LABELS.get(str(observed.body.get("kind")), ("",)))
    return OPT_OUT.items() <= labels.items() and not any(observed is nodes.nodes for nodes in view.pools)
