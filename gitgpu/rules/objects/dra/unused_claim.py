"""A claim of a pod that none of its containers uses."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.objects.workload.resource_claims import claim_names, claims
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        used = {name for _, name in claim_names(pod)}
        if not pod.spec.get("containers"):
            continue  # another file may have the containers
        for place, claim in claims(pod):
            name = str(claim.get("name"))
            if name not in used:
                message = f"the claim '{name}' allocates a device, but no container uses it"
                yield Finding(pod.item, (*place, "name"), message, "add it to resources.claims of a container")


RULE = Rule(
    code="RSC005",
    name="unused-claim",
    severity=Severity.WARNING,
    summary="A pod lists a claim that none of its containers uses.",
    help="The scheduler allocates a device for every claim of a pod, and no other pod gets it while the pod runs. "
    "Only a container that refers to the claim sees the device.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes/api/blob/10b39a39bcee995dfe7cd5e8e7b922be5e46f1e2/core/v1/types.go",
    ),
    check=_check,
)
