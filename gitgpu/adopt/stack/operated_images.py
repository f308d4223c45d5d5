"""The images that custom resources of AMD's and NVIDIA's operators name, and whether the catalog has their versions."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.adopt.stack.chart_versions import why_chart_stays, why_left
from gitgpu.adopt.stack.evidence import ObservedPlace
from gitgpu.adopt.stack.image_versions import known_version, tag_of
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.kinds import DEVICE_CONFIG, NIC_CLUSTER_POLICY

_PARTS = {
    "ofedDriver": "doca-driver",
    "rdmaSharedDevicePlugin": "rdma-shared-device-plugin",
    "sriovDevicePlugin": "sriov-device-plugin",
}  # of a NicClusterPolicy
_OPERATORS = {DEVICE_CONFIG.kind: "amd-gpu-operator", NIC_CLUSTER_POLICY.kind: "network-operator"}


class OperatedImage(NamedTuple):
    """An image that an operator starts: the row of its software, the image, and where it is named."""

    software: str
    image: str
    place: ObservedPlace


def operated_images(view: View) -> Iterator[OperatedImage]:
    """The image of each exporter in DeviceConfigs, and of each part of NicClusterPolicies."""
    for observed in view.cluster.objects:
        spec = mapping_at(observed.body, "spec")
        if observed.body.get("kind") == DEVICE_CONFIG.kind:
            place = ObservedPlace(observed, ("spec", "metricsExporter", "image"))
            yield OperatedImage("amd-metrics-exporter", text_at(spec, "metricsExporter", "image"), place)
        if observed.body.get("kind") == NIC_CLUSTER_POLICY.kind:
            for key, software in _PARTS.items():
                text = str(reach(spec, key, "version") or "")
                image = f"@{text}" if text.startswith("sha256:") else f":{text}" if text else ""
                yield OperatedImage(software, image, ObservedPlace(observed, ("spec", key, "version")))


def why_operated_stays(view: View, kind: str) -> str:
    """Why the objects of an operator stay with their owner, by their kind; "" if gitgpu can generate them."""
    for chart in installed_charts(view, _OPERATORS[kind]):
        if why := why_chart_stays(chart, view):
            return why
    for software, image, place in operated_images(view):
        is_of_kind = place.observed.body.get("kind") == kind
        if is_of_kind and image and not known_version(software, image, view.catalog):
            return why_left(software, tag_of(image))
    return ""
