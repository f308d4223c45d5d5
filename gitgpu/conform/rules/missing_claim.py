"""A pod that claims by a template that is not there."""

from collections.abc import Iterator

from gitgpu.conform.claims import FORMS, GROUP, claims, made
from gitgpu.conform.objects import Objects
from gitgpu.conform.pods import pods
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

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
    there = objects.once("claims", lambda: frozenset(made(objects)))
    for pod in pods(objects):
        where = pod.item.identity.namespace
        for place, one in claims(pod):
            for form, kind in FORMS.items():
                name = one.get(form)
                spaces = {space for other, space, found in there if (other, found) == (kind, name)}
                if name and objects.knows(GROUP, kind) and where and spaces.isdisjoint({where, ""}):
                    elsewhere = f"; the one of that name is in {min(spaces)}" if spaces else ""
                    message = f"there is no {kind} '{name}' in namespace {where}{elsewhere}"
                    remedy = "put it into the pod's namespace" if spaces else "add it, or name one that is there"
                    yield Finding(pod.item, (*place, form), message, remedy)


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
