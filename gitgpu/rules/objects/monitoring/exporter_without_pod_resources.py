"""A DCGM exporter that is to name pods, and cannot ask the kubelet for them."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.image import short_name
from gitgpu.objects.monitoring.monitors import EXPORTER
from gitgpu.objects.monitoring.pod_mapping import maps_pods
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.mounts import host_mount
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_DIRECTORY = "/var/lib/kubelet/pod-resources"
_ELSEWHERE = ("pod-resources-kubelet-socket", "POD_RESOURCES_KUBELET_SOCKET")  # the socket has a different path


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            if short_name(str(container.get("image") or "")) != EXPORTER or maps_pods(container) is not True:
                continue
            elsewhere = any(word in str(container) for word in _ELSEWHERE)
            if not elsewhere and not pod.item.holes and not host_mount(pod, container, _DIRECTORY):
                message = (
                    f"{_DIRECTORY} of the node is not mounted, so metrics have no labels pod, namespace, container"
                )
                remedy = f"add a hostPath volume of {_DIRECTORY}, and mount it at the same path"
                yield Finding(pod.item, (*place, "image"), message, remedy)


RULE = Rule(
    code="MON095",
    name="exporter-without-pod-resources",
    severity=Severity.WARNING,
    summary="A DCGM exporter is set to name the pods of GPUs, but does not mount the socket that lists them.",
    help="The exporter asks the kubelet which pod has which GPU, through a socket in /var/lib/kubelet/pod-resources. "
    "Without the socket, the exporter logs an error, and its metrics do not name pods.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/kubernetes.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/dcgm-exporter.yaml",
    ),
    check=_check,
)
