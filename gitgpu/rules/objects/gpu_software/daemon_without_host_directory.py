"""A device plugin or GPU Feature Discovery that cannot reach the kubelet or Node Feature Discovery."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.image import short_name
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.mounts import host_mount
from gitgpu.objects.workload.pods import pods, words_of
from gitgpu.rules.object_rule import Finding, Rule

_IMAGES = ("gpu-feature-discovery", "k8s-device-plugin")
_DISCOVERY = "gpu-feature-discovery"
# Other programs in the image of the device plugin. They do not register devices.
_OTHERS = ("config-manager", "mps-control-daemon", "nvidia-mps-control-daemon")


# Flags and variables that let GPU Feature Discovery write elsewhere; a configuration file can do that too.
_ELSEWHERE = {"config-file", "o", "output-file", "use-node-feature-api"} | {
    "CONFIG_FILE",
    "GFD_CONFIG_FILE",
    "GFD_OUTPUT_FILE",
    "GFD_USE_NODE_FEATURE_API",
    "USE_NODE_FEATURE_API",
}


class _Need(NamedTuple):
    """A directory of the node that a program uses, and what fails without it."""

    directory: str
    failure: str


_SOCKETS = _Need(
    "/var/lib/kubelet/device-plugins", "the plugin cannot register with the kubelet, and no GPU is advertised"
)
_FEATURES = _Need(
    "/etc/kubernetes/node-feature-discovery/features.d",
    "Node Feature Discovery cannot read the labels that this program writes",
)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        if not pod.is_daemon:
            continue
        for place, container in pod.containers():
            need = _need(container) if place[-2] == "containers" else None
            if need and not pod.item.holes and not host_mount(pod, container, need.directory):
                message = f"{need.directory} of the node is not mounted, so {need.failure}"
                remedy = f"add a hostPath volume of {need.directory}, and mount it at the same path"
                yield Finding(pod.item, (*place, "image"), message, remedy)


def _need(container: Mapping[str, Any]) -> _Need | None:
    """The directory that the program of a container uses; None if it is not one of these programs."""
    image = short_name(str(container.get("image") or ""))
    if image not in _IMAGES:
        return None
    words = [part.rpartition("/")[2] for word in words_of(container) for part in word.split()]
    if _DISCOVERY in words or image == _DISCOVERY:
        return None if _writes_elsewhere(container, words) else _FEATURES
    return None if any(other in words for other in _OTHERS) else _SOCKETS


def _writes_elsewhere(container: Mapping[str, Any], words: list[str]) -> bool:
    """Whether the labels go to another file or to the API, or a configuration may say so."""
    flags = any(word.lstrip("-").partition("=")[0] in _ELSEWHERE for word in words)
    names = {str(reach(variable, "name")) for variable in list_at(container, "env")}
    return flags or bool(names & _ELSEWHERE) or bool(container.get("envFrom"))


RULE = Rule(
    code="STK095",
    name="daemon-without-host-directory",
    severity=Severity.ERROR,
    summary="A device plugin or GPU Feature Discovery does not mount the directory of the node that it works with.",
    help="A device plugin listens on a socket in /var/lib/kubelet/device-plugins, where the kubelet looks for "
    "it. GPU Feature Discovery writes labels to a file that Node Feature Discovery reads. Both run without the "
    "directory of the node, but nothing sees them.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/static/nvidia-device-plugin.yml",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/gpu-feature-discovery/main.go",
        "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
    ),
    check=_check,
)
