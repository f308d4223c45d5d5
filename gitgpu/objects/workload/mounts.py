"""Which directories of its node a container can see."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.objects.workload.pods import Pod


def host_mount(pod: Pod, container: Mapping[str, Any], directory: str) -> bool:
    """Whether the container mounts a directory of the node at this path, or at one above it."""
    volumes = {str(reach(volume, "name")): mapping_at(volume) for volume in list_at(pod.spec, "volumes")}
    for mount in map(mapping_at, list_at(container, "volumeMounts")):
        volume = volumes.get(str(mount.get("name")), {})
        if _covers(str(mount.get("mountPath") or ""), directory) and reach(volume, "hostPath", "path"):
            return True
    return False


def _covers(mounted: str, directory: str) -> bool:
    above = mounted.rstrip("/")
    return directory == above or directory.startswith(f"{above}/")
