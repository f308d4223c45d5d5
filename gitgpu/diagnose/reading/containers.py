"""The containers of a pod, by their status."""

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.objects.objects import Item


def init_container(pod: Item) -> str:
    """The name of the init container that a pod runs; "" if it runs none."""
    for container in rows(pod.body, "status", "initContainerStatuses"):
        # A sidecar, which runs on, is ready.
        if "running" in mapping_at(container, "state") and container.get("ready") is not True:
            return text_at(container, "name")
    return ""
