"""A container that uses a claim that its pod does not list."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.objects.workload.resource_claims import claim_names, claims
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        claimed = {str(claim.get("name")) for _, claim in claims(pod)}
        for place, name in claim_names(pod):
            if name not in claimed:
                message = f"the pod has no claim '{name}' in resourceClaims"
                remedy = f"use {' or '.join(sorted(claimed))}" if claimed else "add it to resourceClaims of the pod"
                yield Finding(pod.item, place, message, remedy)


RULE = Rule(
    code="RSC001",
    name="container-claim-not-in-pod",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container uses a claim that its pod does not list.",
    help="A container refers to claims by the names that the pod gives them in resourceClaims. The API server "
    "rejects any other name.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes/api/blob/10b39a39bcee995dfe7cd5e8e7b922be5e46f1e2/core/v1/types.go",
    ),
    check=_check,
)
