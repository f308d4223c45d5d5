"""Device plugins of other projects for NVIDIA GPUs, installed by a chart or by a DaemonSet."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.syntax.image import short_name
from gitgpu.objects.gitops.chart_values import title
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.mounts import host_mount
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.source import Pointer

SOCKETS = "/var/lib/kubelet/device-plugins"


class OtherPlugin(NamedTuple):
    """A device plugin: its name, where to turn it off, the resource that it registers, and its pods."""

    title: str
    place: tuple[Item, Pointer]
    resource: str
    pod: Pod
    sure: bool = True
    cluster: str = ""

    @property
    def counts_gpus(self) -> bool:
        """Whether it registers the resource of NVIDIA's plugin."""
        return self.resource == NVIDIA_GPU


def other_plugins(objects: Objects) -> Iterator[OtherPlugin]:
    """The device plugins of other projects."""
    for row in objects.catalog.rows("plugins").values():
        if row["chart"]:
            for release in releases(objects, row["chart"]["chart"]):
                yield from _release_plugins(release, row)
        yield from _set_plugins(row, objects)


def _release_plugins(release: Release, row: Mapping[str, Any]) -> Iterator[OtherPlugin]:
    chart = row["chart"]
    if release.value(*chart["enabled"].split(".")) is False:
        return
    # Helm merges maps.
    selector = {**chart["labels"], **mapping_at(release.value(*chart["nodeSelector"].split(".")))}
    tolerations = list_at(release.value(*chart["tolerations"].split(".")))
    if not all(isinstance(value, str) for value in selector.values()):
        return
    spec = {"nodeSelector": selector, "tolerations": [entry for entry in tolerations if isinstance(entry, dict)]}
    resource = str(release.value(*chart["resource"].split(".")) or row["resource"])
    place = release.locate(*chart["enabled"].split("."))
    pod = Pod(release.item, release.pointer, spec, {})
    yield OtherPlugin(title(release), place, resource, pod, release.whole, release.cluster)


def _set_plugins(row: Mapping[str, Any], objects: Objects) -> Iterator[OtherPlugin]:
    for pod in pods(objects):
        for place, container in pod.containers() if pod.is_daemon else ():
            name = short_name(str(container.get("image") or ""))
            if name in row["images"] and host_mount(pod, container, SOCKETS):
                owner = f"DaemonSet {pod.item.identity.name}"
                yield OtherPlugin(owner, (pod.item, (*place, "image")), row["resource"], pod)
                break
