"""A resource request that is higher than its limit."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PAGES = "hugepages-"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        pod_level: tuple[Pointer, Mapping[str, Any]] = (pod.pointer, pod.spec)
        for place, asking in (pod_level, *pod.containers()):
            limits, requests = (reach(asking, "resources", kind) or {} for kind in ("limits", "requests"))
            for name, request in requests.items():
                if _can_differ(name) and name in limits and _exceeds(request, limits[name]):
                    message = f"the {name} request {request} is higher than the limit {limits[name]}"
                    remedy = "raise the limit, or lower the request"
                    yield Finding(pod.item, (*place, "resources", "requests", name), message, remedy)


def _can_differ(name: str) -> bool:
    """Whether request and limit can differ. Another rule reports resources for which they must be equal."""
    # As IsNativeResource of Kubernetes.
    return not name.startswith(_PAGES) and ("/" not in name or KUBERNETES_PREFIX in name)


def _exceeds(asked: Any, limit: Any) -> bool:
    try:
        return quantity(asked) > quantity(limit)
    except ValueError:
        return False  # CNF006 reports it


RULE = Rule(
    code="RSC006",
    name="request-above-limit",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container or pod requests more of a resource than its limit.",
    help="The API server rejects the pod, and a workload whose template has such resources.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#requests-and-limits",
    ),
    check=_check,
)
