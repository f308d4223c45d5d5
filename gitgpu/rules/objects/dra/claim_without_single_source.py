"""A claim of a pod with no source, or two."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.objects.workload.resource_claims import FORMS, claims
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, claim in claims(pod):
            named_forms = [form for form in FORMS if claim.get(form)]
            if len(named_forms) != 1:
                message = f"the claim '{claim.get('name')}' has {'two sources' if named_forms else 'no source'}"
                yield Finding(pod.item, place, message, f"set exactly one of {' and '.join(FORMS)}")


RULE = Rule(
    code="RSC002",
    name="claim-without-single-source",
    severity=Severity.ERROR,
    rejects=True,
    summary="A pod has a claim with neither a ResourceClaim nor a ResourceClaimTemplate, or with both.",
    help="A claim needs exactly one of resourceClaimName and resourceClaimTemplateName. The API server rejects a pod "
    "with neither or both. It accepts a workload with such a template, but rejects each of its pods.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes/api/blob/10b39a39bcee995dfe7cd5e8e7b922be5e46f1e2/core/v1/types.go",
    ),
    check=_check,
)
