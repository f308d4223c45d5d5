"""A pod that claims by a template that is not there."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.conform.workload.resource_claims import FORMS, GROUP, claims, existing_claims
from gitgpu.diagnostic import Severity
from gitgpu.spelling import nearest

BAD = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
  containers:
  - name: main
    image: registry.example.com/trainer:v1
    resources: {claims: [{name: gpu}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu, namespace: serving}
spec:
  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    there = objects.once("claims", lambda: sorted(set(existing_claims(objects))))
    for pod in pods(objects):
        named = [(place, form, one[form]) for place, one in claims(pod) for form in FORMS if one.get(form)]
        for place, form, name in named if pod.item.identity.namespace else ():
            kind = FORMS[form]
            alike = [(space, other) for found, space, other in there if found == kind]
            wrong = _wrong(name, kind, pod.item.identity.namespace, alike) if objects.knows(GROUP, kind) else None
            if wrong:
                yield Finding(pod.item, (*place, form), *wrong)


def _wrong(name: str, kind: str, namespace: str, alike: list[tuple[str, str]]) -> tuple[str, str] | None:
    """What is wrong with a name, and what to do; None where it is there, or may be."""
    spaces = [space for space, other in alike if other == name]
    if namespace in spaces or "" in spaces:
        return None
    message = f"there is no {kind} '{name}' in namespace {namespace}"
    if spaces:
        return f"{message}; the one of that name is in {spaces[0]}", "put it into the pod's namespace"
    near = nearest(name, [other for space, other in alike if space == namespace])
    return message, f"write {near}" if near else "add it, or name one that is there"


RULE = Rule(
    code="RSC003",
    name="missing-claim",
    severity=Severity.ERROR,
    summary="A pod claims devices by a ResourceClaim or a template that is not among the objects, or is in another "
    "namespace.",
    help="Both are looked for in the namespace of the pod alone. Without the template no claim is made, and the pod "
    "stays Pending; without the claim the scheduler waits for it.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes/api/blob/10b39a39bcee995dfe7cd5e8e7b922be5e46f1e2/core/v1/types.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("namespace: serving", "namespace: research"),
)
