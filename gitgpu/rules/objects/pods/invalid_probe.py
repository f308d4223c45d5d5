"""A probe that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS = ("exec", "grpc", "httpGet", "tcpSocket")
_LAST = 65535  # the highest TCP port


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            ends = "initContainers" in place and container.get("restartPolicy") != "Always"
            for name in _PROBES:
                probe = container.get(name)
                if probe is None:
                    continue
                if ends:
                    message = f"an init container cannot have a {name} unless it has restartPolicy: Always"
                    yield Finding(pod.item, (*place, name), message, f"remove {name}, or set restartPolicy: Always")
                for below, message, remedy in _faults(name, probe):
                    yield Finding(pod.item, (*place, name, *below), message, remedy)


def _faults(name: str, probe: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    handlers = [handler for handler in _HANDLERS if probe.get(handler) is not None]
    if len(handlers) != 1:
        shown = ", ".join(handlers) or "none"
        yield (
            (),
            f"a probe needs exactly one of {', '.join(_HANDLERS)}; found {shown}",
            "keep one handler" if handlers else "add one handler",
        )
    for handler in handlers:
        port = reach(probe, handler, "port")
        if handler != "exec" and isinstance(port, int) and not 1 <= port <= _LAST:
            message = f"port must be between 1 and {_LAST}; found {port}"
            yield (handler, "port"), message, f"use a number between 1 and {_LAST}, or the name of a port"
    # Kubernetes reads 0 as the default, 1.
    if name != "readinessProbe" and probe.get("successThreshold") not in (None, 0, 1):
        yield ("successThreshold",), f"successThreshold of a {name} must be 1", "remove successThreshold"


RULE = Rule(
    code="POD034",
    name="invalid-probe",
    severity=Severity.ERROR,
    rejects=True,
    summary="A probe has no handler, several handlers, a port out of range, or an unsupported threshold.",
    help="The API server rejects the pod, and any workload whose template has such a probe.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#configure-probes",
    ),
    check=_check,
)
