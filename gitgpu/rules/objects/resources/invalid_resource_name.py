"""A resource name that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_qualified_name
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PAGES, _QUOTA = "hugepages-", "requests."
_COMPUTE = ("cpu", "memory")  # and huge pages: of a pod as a whole
_CONTAINERS = (*_COMPUTE, "ephemeral-storage")


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        parts: list[tuple[Pointer, Mapping[str, Any], bool]] = [(pod.pointer, pod.spec, True)]
        parts += [(place, container, False) for place, container in pod.containers()]
        for place, asking, of_pod in parts:
            for inside, name in _names(asking):
                for message, remedy in _faults(name, of_pod=of_pod):
                    yield Finding(pod.item, (*place, *inside), message, remedy, at_key=True)


def _names(asking: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """The names of resources that a pod or a container asks for, each with its place."""
    for kind in ("limits", "requests"):
        yield from ((("resources", kind, name), name) for name in reach(asking, "resources", kind) or ())


def _faults(name: str, *, of_pod: bool) -> Iterator[Problem]:
    if of_pod:
        if name not in _COMPUTE and not name.startswith(_PAGES):
            yield Problem(f"pod-level resources cannot include {name}", "request it in a container")
    # Kubernetes reserves the prefix `requests.` for quotas (IsExtendedResourceName).
    elif not is_qualified_name(name) or (name.startswith(_QUOTA) and KUBERNETES_PREFIX not in name):
        yield Problem(f"'{name}' is not a valid resource name", "use the name that the device plugin advertises")
    elif "/" not in name and name not in _CONTAINERS and not name.startswith(_PAGES):
        yield Problem(f"unknown resource {name}", f"use its full name, such as nvidia.com/gpu, or {_CONTAINERS[0]}")


RULE = Rule(
    code="RSC007",
    name="invalid-resource-name",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container or pod requests a resource name that Kubernetes does not allow there.",
    help="Without a domain, a resource is cpu, memory, ephemeral-storage or hugepages-<size>. The name of a device "
    "has one. Pod-level resources are cpu, memory and huge pages. The API server rejects anything else.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/helper/helpers.go",
    ),
    check=_check,
)
