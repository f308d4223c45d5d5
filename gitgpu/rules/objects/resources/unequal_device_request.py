"""A device request that differs from its limit."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule

_PAGES = "hugepages-"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, container in pod.containers():
            limits, requests = (reach(container, "resources", kind) or {} for kind in ("limits", "requests"))
            # The limit of a partial pod can be in the object that completes it.
            written = {name: requests[name] for name in requests if name in limits} if pod.partial else requests
            for name, message, remedy in _faults(limits, written):
                yield Finding(pod.item, (*place, "resources", "requests", name), message, remedy)


def _faults(limits: Mapping[str, Any], requests: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, request in requests.items():
        if not _is_exclusive(name):
            continue
        if name not in limits:
            yield name, f"{name} has a request but no limit", f"set limits: {{{name}: {request}}} instead"
        elif _differ(request, limits[name]):
            message = f"the {name} request {request} and limit {limits[name]} must be equal"
            yield name, message, "remove the request: it defaults to the limit"


def _is_exclusive(name: str) -> bool:
    """Whether the resource cannot be overcommitted, as extended resources and huge pages."""
    # As IsNativeResource of Kubernetes.
    return name.startswith(_PAGES) or ("/" in name and KUBERNETES_PREFIX not in name)


def _differ(request: Any, limit: Any) -> bool:
    try:
        return quantity(request) != quantity(limit)
    except ValueError:
        return False  # CNF006 reports it


RULE = Rule(
    code="POD009",
    name="unequal-device-request",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container requests devices without a limit, or with a different limit.",
    help="Devices cannot be overcommitted: the API server rejects a request without a limit, and a limit that differs "
    "from the request.",
    sources=(
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources",
        "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
    ),
    check=_check,
)
