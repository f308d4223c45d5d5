"""A pod that refers to a missing ResourceClaim or ResourceClaimTemplate."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.names.groups import RESOURCE_GROUP
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.objects.workload.resource_claims import FORMS, claims, existing_claims
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    namespaces: dict[str, dict[str, list[str]]] = {}  # the namespaces of each name, by kind
    for kind, space, name in sorted(set(existing_claims(objects))):
        namespaces.setdefault(kind, {}).setdefault(name, []).append(space)
    for pod in pods(objects):
        namespace = pod.item.identity.namespace
        if not namespace:
            continue  # the namespace is chosen when the pod is applied
        for (place, claim), (form, kind) in product(claims(pod), FORMS.items()):
            if not claim.get(form) or not objects.knows(RESOURCE_GROUP, kind):
                continue
            fault = _fault(claim[form], kind, namespace, namespaces.get(kind, {}))
            if fault:
                yield Finding(pod.item, (*place, form), *fault)


def _fault(name: str, kind: str, namespace: str, namespaces: Mapping[str, Sequence[str]]) -> Problem | None:
    """The message and the remedy for a missing name; None if it exists."""
    spaces = namespaces.get(name, ())
    if namespace in spaces or "" in spaces:  # "" becomes the namespace in which the claim is applied
        return None
    message = f"there is no {kind} '{name}' in namespace {namespace}"
    if spaces:
        return Problem(f"{message}; there is one in {spaces[0]}", "move it to the namespace of the pod")
    closest = nearest(name, sorted(other for other, spaces in namespaces.items() if namespace in spaces))
    return Problem(message, f"use {closest}" if closest else f"add the {kind}, or use the name of an existing one")


RULE = Rule(
    code="RSC003",
    name="missing-claim",
    severity=Severity.ERROR,
    summary="A pod refers to a ResourceClaim or ResourceClaimTemplate that is missing or in another namespace.",
    help="Kubernetes looks up both only in the namespace of the pod. Without the template no claim is created, and "
    "the pod stays Pending. Without the claim the scheduler waits for it.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes/api/blob/10b39a39bcee995dfe7cd5e8e7b922be5e46f1e2/core/v1/types.go",
    ),
    check=_check,
)
