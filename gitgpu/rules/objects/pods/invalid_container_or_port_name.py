"""A name inside a pod that the API server rejects."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_dns_label, is_qualified_name
from gitgpu.objects.workload.label_selectors import KEY
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# IsValidPortName of k8s.io/apimachinery: the name of a service as IANA registers them (RFC 6335).
_PORT = re.compile(r"(?=[^a-z]*[a-z])(?!.*--)[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?\Z", re.ASCII)
_VARIABLE = re.compile(r"[ -<>-~]+\Z", re.ASCII)  # printable and no equals sign: Kubernetes 1.32 and later
_LABEL = "use at most 63 lowercase letters, digits and '-', starting and ending with a letter or digit"
_PRINTABLE = "use printable ASCII characters other than '='"
_SERVICE = "use at most 15 lowercase letters, digits and single '-', including a letter"
_OF_POD: tuple[tuple[str, str, Callable[[str], bool], str], ...] = (
    ("volumes", "volume", is_dns_label, _LABEL),
    ("resourceClaims", "pod claim", is_dns_label, _LABEL),
    ("schedulingGates", "scheduling gate", is_qualified_name, KEY),
)


class _InvalidName(NamedTuple):
    """What has an invalid name, its place, the name, and the remedy."""

    place: Pointer
    what: str
    name: str
    remedy: str


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for invalid in chain(_pod_names(pod), _container_names(pod)):
            message = f"'{invalid.name}' is not a valid {invalid.what} name"
            yield Finding(pod.item, (*invalid.place, "name"), message, invalid.remedy)


def _pod_names(pod: Pod) -> Iterator[_InvalidName]:
    for field, what, is_valid, remedy in _OF_POD:
        for index, entry in enumerate(pod.spec.get(field) or ()):
            name = reach(entry, "name") or ""
            if not is_valid(name):
                yield _InvalidName((*pod.pointer, field, index), what, name, remedy)


def _container_names(pod: Pod) -> Iterator[_InvalidName]:
    for place, container in pod.containers():
        name = container.get("name") or ""
        if not is_dns_label(name):
            yield _InvalidName(place, "container", name, _LABEL)
        for index, port in enumerate(container.get("ports") or ()):
            if reach(port, "name") and not _PORT.match(port["name"]):
                yield _InvalidName((*place, "ports", index), "port", port["name"], _SERVICE)
        for index, variable in enumerate(container.get("env") or ()):
            name = reach(variable, "name") or ""
            if not _VARIABLE.match(name):
                yield _InvalidName((*place, "env", index), "environment variable", name, _PRINTABLE)


RULE = Rule(
    code="NAM004",
    name="invalid-container-or-port-name",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container, volume, port, environment variable, claim or scheduling gate of a pod has an invalid name.",
    help="Containers and volumes need a DNS label. A port name has at most 15 characters, including a letter. The "
    "API server rejects other names.",
    sources=(
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go",
    ),
    check=_check,
)
