"""A port number out of range."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule

_LAST = 65535  # the highest TCP port


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, container in pod.containers():
            for index, port in enumerate(container.get("ports") or ()):
                for field, number in _out_of_range(port):
                    message = f"{field} must be between 1 and {_LAST}; found {number}"
                    remedy = f"use a number between 1 and {_LAST}"
                    yield Finding(pod.item, (*place, "ports", index, field), message, remedy)


def _out_of_range(port: Mapping[str, Any] | None) -> Iterator[tuple[str, int]]:
    for field, minimum in (("containerPort", 1), ("hostPort", 0)):  # 0 means no port of the host
        number = reach(port, field) or 0
        if not minimum <= number <= _LAST:
            yield field, number


RULE = Rule(
    code="POD031",
    name="port-out-of-range",
    severity=Severity.ERROR,
    rejects=True,
    summary="A containerPort or hostPort is not between 1 and 65535.",
    help="The API server rejects the pod, and any workload whose template has such a port.",
    sources=("https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",),
    check=_check,
)
