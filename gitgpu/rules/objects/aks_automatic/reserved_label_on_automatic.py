"""A label of AKS on pods, workloads or Services, which AKS Automatic rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEPLOYMENT, REPLICA_SET, SERVICE, STATEFUL_SET
from gitgpu.objects.node.automatic import excluded_namespaces, is_automatic
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import facts, is_checked
from gitgpu.source import Pointer

_OWN: Pointer = ("metadata", "labels")
# The policy reads the labels of these, and of pods, whatever creates them.
_KINDS = (DEPLOYMENT, REPLICA_SET, SERVICE, STATEFUL_SET)


def _check(objects: Objects) -> Iterator[Finding]:
    severity = None if excluded_namespaces(objects) is None else Severity.ERROR
    prefix = facts(objects)["reservedLabels"]
    for item, place, labels in _labels(objects) if is_automatic(objects) else ():
        for key in labels:
            if str(key).startswith(prefix):
                message = f"AKS Automatic rejects label {key}: AKS reserves {prefix}"
                yield Finding(item, (*place, key), message, "remove the label", severity=severity)


def _labels(objects: Objects) -> Iterator[tuple[Item, Pointer, Mapping[str, Any]]]:
    """Labels that the policy reads, each with its place."""
    for kind in _KINDS:
        for item in objects.of(*kind):
            if is_checked(item, objects):
                yield item, _OWN, mapping_at(item.body, *_OWN)
    for pod in pods(objects):
        if is_checked(pod.item, objects):
            beside = (*pod.pointer[:-1], *_OWN)
            # Pods of some kinds get the labels of the object itself.
            yield pod.item, beside if reach(pod.item.body, *beside) else _OWN, pod.labels


RULE = Rule(
    code="APL113",
    name="reserved-label-on-automatic",
    severity=Severity.WARNING,
    summary="Pods, a Service or a workload have a label of AKS, on an AKS Automatic cluster.",
    help="The deployment safeguards of AKS Automatic reject labels that start with kubernetes.azure.com/, unless the "
    "namespace is excluded, which no manifest shows. Labels of nodes with this prefix, which pods select, are "
    "not affected.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/azure-policy/blob/f4a50bacae07ddb096943c597669bcae494a6e29/built-in-policies/policyDefinitions/Kubernetes/NoAKSSpecificLabels.json",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
