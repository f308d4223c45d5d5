"""A claim of a pod that names no source, or two."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.conform.workload.resource_claims import FORMS, claims
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  resourceClaims: [{name: gpu}]
  containers:
  - name: main
    image: registry.example.com/trainer:v1
    resources: {claims: [{name: gpu}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu, namespace: research}
spec:
  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, one in claims(pod):
            named = [form for form in FORMS if one.get(form)]
            if len(named) != 1:
                message = f"the claim '{one.get('name')}' names {'both sources' if named else 'no source'}"
                yield Finding(pod.item, place, message, f"write one of {' and '.join(FORMS)}")


RULE = Rule(
    code="RSC002",
    name="claim-of-two-forms",
    severity=Severity.ERROR,
    summary="A pod lists a claim with neither a ResourceClaim nor a ResourceClaimTemplate, or with both.",
    help="Exactly one of resourceClaimName and resourceClaimTemplateName says where the claim comes from. The API "
    "server refuses a pod with neither or with both; of a template it only refuses the pods, which then never appear.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes/api/blob/10b39a39bcee995dfe7cd5e8e7b922be5e46f1e2/core/v1/types.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("{name: gpu}]\n  containers", "{name: gpu, resourceClaimTemplateName: one-gpu}]\n  containers"),
)
