"""A probe that the API server refuses."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS = ("exec", "grpc", "httpGet", "tcpSocket")
_LAST = 65535
BAD = """
apiVersion: v1
kind: Pod
metadata: {name: chat, namespace: serving}
spec:
  containers: [{name: main, livenessProbe: {httpGet: {port: 8080}, successThreshold: 2}}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            ends = "initContainers" in place and container.get("restartPolicy") != "Always"
            for name in _PROBES:
                probe = container.get(name)
                if probe is None:
                    continue
                if ends:
                    message = f"an init container that ends has no {name}"
                    yield Finding(pod.item, (*place, name), message, "remove it, or write restartPolicy: Always")
                for below, message, remedy in _faults(name, probe):
                    yield Finding(pod.item, (*place, name, *below), message, remedy)


def _faults(name: str, probe: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    handlers = [one for one in _HANDLERS if probe.get(one) is not None]
    if len(handlers) != 1:
        found = f"has {', '.join(handlers)}" if handlers else "has none"
        yield (), f"a probe needs one of {', '.join(_HANDLERS)}; this {found}", "write exactly one"
    for handler in handlers:
        port = reach(probe, handler, "port")
        if handler != "exec" and isinstance(port, int) and not 1 <= port <= _LAST:
            message = f"port must be between 1 and {_LAST}; found {port}"
            yield (handler, "port"), message, "write the number or the name of a port"
    if name != "readinessProbe" and probe.get("successThreshold") not in (None, 0, 1):
        yield ("successThreshold",), f"the successThreshold of a {name} is 1", "remove it"


RULE = Rule(
    code="POD034",
    name="bad-probe",
    severity=Severity.ERROR,
    summary="A probe has no handler, several, a port out of range, or a threshold that its kind does not take.",
    help="The API server refuses the pod, and a workload whose template has such a probe.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace(", successThreshold: 2", ""),
)
