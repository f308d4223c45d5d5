"""Two parts of a pod with the same name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_Named: TypeAlias = Sequence[tuple[Pointer, str]]


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for what, names in _names(pod):
            seen: set[str] = set()
            for place, name in names:
                if name in seen:
                    message = f"duplicate {what} name '{name}'"
                    yield Finding(pod.item, (*place, "name"), message, "rename or remove one of them")
                seen.add(name)


def _names(pod: Pod) -> Iterator[tuple[str, _Named]]:
    containers = list(pod.containers())
    yield "container", [(place, container["name"]) for place, container in containers if container.get("name")]
    yield "volume", _named_parts(pod.spec.get("volumes"), (*pod.pointer, "volumes"))
    yield "pod claim", _named_parts(pod.spec.get("resourceClaims"), (*pod.pointer, "resourceClaims"))
    yield "scheduling gate", _named_parts(pod.spec.get("schedulingGates"), (*pod.pointer, "schedulingGates"))
    sysctls: Pointer = ("securityContext", "sysctls")
    yield "sysctl", _named_parts(reach(pod.spec, *sysctls), (*pod.pointer, *sysctls))
    for place, container in containers:
        yield "port", _named_parts(container.get("ports"), (*place, "ports"))


def _named_parts(parts: Sequence[Mapping[str, Any]] | None, place: Pointer) -> _Named:
    return [((*place, index), part["name"]) for index, part in enumerate(parts or ()) if reach(part, "name")]


RULE = Rule(
    code="NAM002",
    name="duplicate-name-in-pod",
    severity=Severity.ERROR,
    rejects=True,
    summary="Two containers, volumes, ports, claims or other parts of a pod have the same name.",
    help="The API server rejects the pod. Init containers and containers cannot have the same name either.",
    sources=(
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
    ),
    check=_check,
)
