"""How gitgpu's DaemonSets select nodes: by the names of pools, or by a label of the nodes."""

from collections.abc import Iterator

from gitgpu.access import list_at, text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL, MANAGED_BY_LABEL
from gitgpu.source import Pointer

_TERMS: Pointer = (
    *("spec", "template", "spec", "affinity", "nodeAffinity"),
    *("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"),
)


def infer(view: View) -> Iterator[Evidence]:
    """`labels` if a DaemonSet of gitgpu selects nodes by the label that keeps the GPU Operator away."""
    for observed in view.cluster.objects:
        body = observed.body
        if body.get("kind") != "DaemonSet" or text_at(body, "metadata", "labels", MANAGED_BY_LABEL) != "gitgpu":
            continue
        for term in list_at(body, *_TERMS):
            keys = [text_at(rule, "key") for rule in list_at(term, "matchExpressions")]
            if DEPLOY_OPERANDS_LABEL in keys:
                reason = f"{observed.name} selects nodes by the label {DEPLOY_OPERANDS_LABEL}"
                yield Evidence(("nodeSelection",), "labels", reason, observed, _TERMS, fate=Fate.ADOPTED)
