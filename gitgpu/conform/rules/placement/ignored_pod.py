"""A pod that Karpenter passes over for what it requires of nodes."""

from collections.abc import Iterator, Mapping

from gitgpu.conform.node.label_requirements import known_values, same_but_for_case, yaml_value
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.node_constraints import RequiredLabel, required_labels
from gitgpu.conform.workload.pods import REQUIRED, Pod, pods
from gitgpu.diagnostic import Change, Repair, Severity

BAD = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  nodeSelector: {karpenter.azure.com/sku-gpu-manufacturer: NVIDIA}
  containers:
  - name: main
    resources: {limits: {nvidia.com/gpu: 1}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("placement", "aks")
    known = {key: values for key, values in known_values(objects).items() if key.startswith(tuple(facts["restricted"]))}
    for pod in pods(objects):
        for wish in () if pod.is_daemon else required_labels(pod):
            yield from _odd_values(pod, wish, known)
            if wish.key.partition("/")[0] in facts["restricted"] and wish.key not in facts["wellKnown"]:
                message = f"Karpenter passes over every pod that requires the label {wish.key}"
                remedy = "select by karpenter.sh/nodepool, or by a label of your own that the NodePool sets"
                yield Finding(pod.item, wish.pointer, message, remedy)
        for at, term in enumerate(reach(pod.spec, *REQUIRED) or ()):
            if term and term.get("matchFields") and _is_ours(term, facts["restricted"]):
                place = (*pod.pointer, *REQUIRED, at, "matchFields")
                message = "Karpenter passes over every pod with matchFields"
                yield Finding(pod.item, place, message, "use matchExpressions")


def _odd_values(pod: Pod, wish: RequiredLabel, known: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    allowed = known.get(wish.key, ())
    if wish.operator != "In" or not allowed or any(value in allowed for _, value in wish.values):
        return
    for place, value in wish.values:
        better = same_but_for_case(value, allowed)
        remedy = f"write {yaml_value(better)}" if better else f"use one of: {', '.join(allowed)}"
        repair = Repair(Change.VALUE, place, yaml_value(better)) if better else None
        yield Finding(pod.item, place, f"no node has {wish.key} '{value}'", remedy, repair=repair)


def _is_ours(term: Mapping[str, object], domains: list[str]) -> bool:
    """Does the term also want a label that only nodes of Karpenter have?"""
    expressions = term.get("matchExpressions") or ()
    keys = (str(one.get("key")) for one in expressions if one) if isinstance(expressions, list) else ()
    return any(key.partition("/")[0] in domains for key in keys)


RULE = Rule(
    code="POD014",
    name="ignored-pod",
    severity=Severity.ERROR,
    summary="A pod requires labels of Karpenter in a way that makes Karpenter ignore it.",
    help="Before it looks for a NodePool, Karpenter checks each pod against its own rules: only well-known labels of "
    "its domains, at least one value that the label can have, no matchFields. A pod that breaks one is left Pending; "
    "Karpenter publishes an event on it, FailedScheduling, with the reason.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/provisioner.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("NVIDIA", "nvidia"),
)
