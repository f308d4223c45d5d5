"""What the Pod Security level baseline forbids, as AKS Automatic enforces it: each setting with its place."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach, rows
from gitgpu.model.catalog import Facts
from gitgpu.objects.workload.pods import Pod
from gitgpu.source import Pointer

_HOST = ("hostNetwork", "hostPID", "hostIPC")
_OF_MICROSOFT = "mcr.microsoft.com/"  # some of its images may mount any path; which ones is not documented
_UNCONFINED = {"appArmorProfile": "AppArmor", "seccompProfile": "seccomp"}

Forbidden = tuple[Pointer, str]  # the place of a setting, and what it is in words


def forbidden_settings(pod: Pod, row: Facts) -> Iterator[Forbidden]:
    """Every setting of the pods that the level forbids."""
    for key in _HOST:
        if pod.spec.get(key) is True:
            yield (*pod.pointer, key), key
    for index, volume in enumerate(list_at(pod.spec, "volumes")):
        if reach(volume, "hostPath") and not _may_mount(pod, volume, row):
            yield (*pod.pointer, "volumes", index, "hostPath"), "hostPath volumes"
    security: Pointer = (*pod.pointer, "securityContext")
    for index, sysctl in enumerate(list_at(pod.spec, "securityContext", "sysctls")):
        name = reach(sysctl, "name")
        if name and name not in row["sysctls"]:
            yield (*security, "sysctls", index, "name"), f"sysctl {name}"
    yield from _forbidden_in_context(security, mapping_at(pod.spec, "securityContext"), row)
    for place, container in pod.containers():
        yield from _forbidden_in_container(place, container, row)


def _forbidden_in_container(place: Pointer, container: Mapping[str, Any], row: Facts) -> Iterator[Forbidden]:
    context, security = mapping_at(container, "securityContext"), (*place, "securityContext")
    if context.get("privileged") is True:
        yield (*security, "privileged"), "privileged containers"
    for index, name in enumerate(list_at(context, "capabilities", "add")):
        if name not in row["capabilities"]:
            yield (*security, "capabilities", "add", index), f"capability {name}"
    if context.get("procMount") not in (None, "Default"):
        yield (*security, "procMount"), f"procMount {context['procMount']}"
    yield from _forbidden_in_context(security, context, row)
    for index, port in enumerate(list_at(container, "ports")):
        if reach(port, "hostPort"):
            yield (*place, "ports", index, "hostPort"), "hostPort"


def _forbidden_in_context(security: Pointer, context: Mapping[str, Any], row: Facts) -> Iterator[Forbidden]:
    """What both pods and containers can set."""
    for key, words in _UNCONFINED.items():
        if reach(context, key, "type") == "Unconfined":
            yield (*security, key, "type"), f"{words} profile Unconfined"
    kind = reach(context, "seLinuxOptions", "type") or ""
    if kind not in row["seLinuxTypes"]:
        yield (*security, "seLinuxOptions", "type"), f"SELinux type {kind}"


def _may_mount(pod: Pod, volume: Mapping[str, Any], row: Facts) -> bool:
    """Whether pods may mount the path: read-only, if it is one of some paths, or with images of Microsoft."""
    images: list[str] = []
    read_only = True
    for _, container in pod.containers():
        for mount in rows(container, "volumeMounts"):
            if mount.get("name") == volume.get("name"):
                images.append(str(container.get("image")))
                read_only &= mount.get("readOnly") is True
    path = str(reach(volume, "hostPath", "path"))
    if any(path == allowed or path.startswith(f"{allowed}/") for allowed in row["readableHostPaths"]):
        return read_only
    return bool(images) and all(image.startswith(_OF_MICROSOFT) for image in images)
