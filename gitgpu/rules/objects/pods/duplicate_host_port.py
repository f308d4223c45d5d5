"""Two containers of a pod that use the same host port."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        seen: set[tuple[str, str, int]] = set()
        for place, container in pod.containers():
            if "initContainers" in place:  # Kubernetes does not compare their ports
                continue
            for index, written in enumerate(container.get("ports") or ()):
                port = written or {}
                # TCP is the default of Kubernetes.
                taken = str(port.get("protocol") or "TCP"), str(port.get("hostIP") or ""), port.get("hostPort") or 0
                if taken in seen:
                    message = f"duplicate host port {taken[2]} ({taken[0]})"
                    yield Finding(pod.item, (*place, "ports", index, "hostPort"), message, "use another host port")
                if taken[2]:
                    seen.add(taken)


RULE = Rule(
    code="POD029",
    name="duplicate-host-port",
    severity=Severity.ERROR,
    rejects=True,
    summary="Two ports of a pod have the same host port, protocol and host IP.",
    help="The API server rejects the pod, and any workload whose template has such ports.",
    sources=("https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",),
    check=_check,
)
