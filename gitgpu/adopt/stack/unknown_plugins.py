"""DaemonSets that may advertise NVIDIA GPUs, with images that gitgpu does not know, such as renamed copies.

A second device plugin on their nodes would register the same GPUs.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import rows, text_at
from gitgpu.adopt.stack.evidence import ObservedPlace
from gitgpu.adopt.stack.gpu_daemons import is_add_on, is_operated, is_ours, part_of
from gitgpu.adopt.stack.reached_nodes import runs_on
from gitgpu.adopt.stack.view import View
from gitgpu.objects.software.daemons import Daemon
from gitgpu.objects.software.other_plugins import SOCKETS, other_plugins
from gitgpu.objects.workload.mounts import host_mount
from gitgpu.objects.workload.pods import Pod, pods, words_of

_OTHER_MAKERS = ("amd", "rocm", "intel", "habana")
_OTHER_DEVICES = ("rdma", "sriov")


def unknown_plugins(view: View) -> Iterator[tuple[ObservedPlace, str]]:
    """The place of each image, and why its DaemonSet stays, as a clause."""
    known = {id(plugin.pod.item) for plugin in other_plugins(view.objects)}
    for pod in pods(view.objects):
        observed = view.original(pod.item)
        is_of_others = is_operated(observed) or is_ours(observed) or is_add_on(observed) or id(pod.item) in known
        if not pod.is_daemon or is_of_others or part_of(pod.item.body):
            continue
        daemon = Daemon("device-plugin", observed.name, pod.item, (pod.item, ()), pod)
        if not any(runs_on(daemon, nodes, view) for nodes in view.pools):
            continue
        for place, container in pod.containers():
            if host_mount(pod, container, SOCKETS) and _is_for_gpus(pod, container):
                image = text_at(container, "image")
                reason = f"gitgpu does not know its image, {image}: it stays as it is"
                yield ObservedPlace(observed, (*place, "image")), reason
                break


def _is_for_gpus(pod: Pod, container: Mapping[str, Any]) -> bool:
    """Whether names around a device plugin say that it is for NVIDIA's GPUs."""
    names = [pod.item.identity.name, *(text_at(container, key) for key in ("name", "image")), *words_of(container)]
    names += [text_at(entry, "name") for entry in rows(container, "env")]
    text = " ".join(names).lower()
    if any(word in text for word in _OTHER_DEVICES):
        return False
    return "nvidia" in text or ("gpu" in text and not any(word in text for word in _OTHER_MAKERS))
