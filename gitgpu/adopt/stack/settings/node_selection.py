"""How gitgpu's DaemonSets select nodes: by the names of pools, or by a label of the nodes.

Where they do not run yet, they select by the label, so that a further pool restarts none of them: unless nodes that are
not in the fleet have it too, where other software may run.
"""

from collections.abc import Iterator, Mapping

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import is_ours
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
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
_UNSHARED = f"no other pool in the input has the label {DEPLOY_OPERANDS_LABEL}: a further pool restarts no DaemonSet"


def infer(view: View) -> Iterator[Evidence]:
    """`labels` if a DaemonSet of gitgpu selects nodes by the label that keeps operands away, or if none runs."""
    daemons = (observed for observed in view.cluster.objects if observed.body.get("kind") == "DaemonSet")
    own_daemons = list(filter(is_ours, daemons))
    for observed in own_daemons:
        for term in list_at(observed.body, *_TERMS):
            keys = [text_at(rule, "key") for rule in list_at(term, "matchExpressions")]
            if DEPLOY_OPERANDS_LABEL in keys:
                reason = f"{observed.name} selects nodes by the label {DEPLOY_OPERANDS_LABEL}"
                yield Evidence(_PATH, "labels", reason, observed, _TERMS, fate=Fate.ADOPTED)
    if view.has("aks") and not own_daemons and not any(_is_labelled(each, view) for each in view.cluster.objects):
        yield Evidence(_PATH, "labels", _UNSHARED, view.bare)


def _is_labelled(observed: Observed, view: View) -> bool:
    """Whether it creates nodes with the label, and is not a pool of the fleet."""
    labels = mapping_at(observed.body, *_LABELS.get(str(observed.body.get("kind")), ("",)))
    return OPT_OUT.items() <= labels.items() and not any(observed is nodes.nodes for nodes in view.pools)
