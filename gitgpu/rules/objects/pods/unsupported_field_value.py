"""A value that Kubernetes does not support in a field with a fixed list of values."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, STATEFUL_SET
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_OF_PODS: Mapping[Pointer, tuple[str, ...]] = {
    ("dnsPolicy",): ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
    ("os", "name"): ("linux", "windows"),
    ("securityContext", "fsGroupChangePolicy"): ("Always", "OnRootMismatch"),
}
_OF_CONTAINERS = {
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "terminationMessagePolicy": ("FallbackToLogsOnError", "File"),
}
_PROTOCOLS = ("SCTP", "TCP", "UDP")
_OF_WORKLOADS: Mapping[tuple[str, str], tuple[Pointer, tuple[str, ...]]] = {
    DAEMON_SET: (("updateStrategy", "type"), ("OnDelete", "RollingUpdate")),
    DEPLOYMENT: (("strategy", "type"), ("Recreate", "RollingUpdate")),
    STATEFUL_SET: (("podManagementPolicy",), ("OrderedReady", "Parallel")),
    CRON_JOB: (("concurrencyPolicy",), ("Allow", "Forbid", "Replace")),
    JOB: (("completionMode",), ("Indexed", "NonIndexed")),
}
_RESTARTS = ("Always", "Never", "OnFailure")


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, value, supported in _field_values(pod):
            if value and value not in supported and not is_template(str(value)):
                remedy = f"use one of: {', '.join(supported)}"
                yield Finding(pod.item, (*pod.pointer, *place), f"unknown value '{value}' for {place[-1]}", remedy)
    for kind, (path, supported) in _OF_WORKLOADS.items():
        for item in objects.of(*kind):
            value = reach(item.body, "spec", *path)
            if value and value not in supported:
                remedy = f"use one of: {', '.join(supported)}"
                yield Finding(item, ("spec", *path), f"unknown value '{value}' for {path[-1]}", remedy)


def _field_values(pod: Pod) -> Iterator[tuple[Pointer, Any, tuple[str, ...]]]:
    for path, supported in _OF_PODS.items():
        yield path, reach(pod.spec, *path), supported
    if pod.item.identity.kind == "Pod":  # POD025 checks the restartPolicy of templates
        yield ("restartPolicy",), pod.spec.get("restartPolicy"), _RESTARTS
    for place, container in pod.containers():
        below = place[len(pod.pointer) :]
        for field, supported in _OF_CONTAINERS.items():
            yield (*below, field), container.get(field), supported
        for index, port in enumerate(container.get("ports") or ()):
            yield (*below, "ports", index, "protocol"), reach(port, "protocol"), _PROTOCOLS


RULE = Rule(
    code="POD030",
    name="unsupported-field-value",
    severity=Severity.ERROR,
    rejects=True,
    summary="A field of a pod or workload has a value that is not in the list of supported values.",
    help="The API server rejects the object. The values are case-sensitive.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/apps/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/batch/validation/validation.go",
    ),
    check=_check,
)
