"""DaemonSets of GPU software: which software they run, and who has created them."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.stack.installed import ADD_ONS, RELEASE, chart_of
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.model.syntax.image import part_name

PLUGIN, EXPORTER, DETECTOR = "k8s-device-plugin", "dcgm-exporter", "node-problem-detector"
DISCOVERY, MPS = "gpu-feature-discovery", "mps-control-daemon"
_PARTS = (DISCOVERY, MPS, PLUGIN, EXPORTER, DETECTOR)  # by the last part of an image, or by a command
SOFTWARE: Mapping[str, str] = {
    PLUGIN: "nvidia-device-plugin",
    DISCOVERY: "nvidia-device-plugin",
    MPS: "nvidia-device-plugin",
    EXPORTER: EXPORTER,
    DETECTOR: DETECTOR,
}  # for a part: the row of its image in the catalog


def part_of(body: Mapping[str, Any]) -> str:
    """Which GPU software a DaemonSet runs, according to the commands and images of its containers; "" for none."""
    if body.get("kind") != "DaemonSet":
        return ""
    for container in list_at(body, "spec", "template", "spec", "containers"):
        if name := part_in(mapping_at(container)):
            return name
    return ""


def part_in(container: Mapping[str, Any]) -> str:
    """Which GPU software a container runs; "" for none."""
    words = [str(word) for word in (*list_at(container, "command"), *list_at(container, "args"))]
    full_image = str(container.get("image") or "")
    # AMD's device plugin has the same short name as NVIDIA's.
    image = "" if "rocm" in full_image else part_name(full_image, _PARTS)
    for name in _PARTS:
        if name == image or any(word.rpartition("/")[2] == name for word in words):
            return name
    return ""


def is_made(observed: Observed) -> bool:
    """Whether a chart or an operator created it. If so, the release or the operator's object is adopted instead."""
    annotations = mapping_at(observed.body, "metadata", "annotations")
    return is_operated(observed) or bool(chart_of(observed)) or RELEASE in annotations


def is_operated(observed: Observed) -> bool:
    """Whether the GPU Operator created it."""
    meta = mapping_at(observed.body, "metadata")
    owners = (reach(owner, "kind") for owner in list_at(meta, "ownerReferences"))
    return mapping_at(meta, "labels").get(MANAGED_BY_LABEL) == "gpu-operator" or CLUSTER_POLICY.kind in owners


def is_ours(observed: Observed) -> bool:
    """Whether gitgpu generated it."""
    return mapping_at(observed.body, "metadata", "labels").get(MANAGED_BY_LABEL) == "gitgpu"


def is_add_on(observed: Observed) -> bool:
    """Whether it is part of an add-on, which AKS installs as a release."""
    return str(mapping_at(observed.body, "metadata", "annotations").get(RELEASE, "")).startswith(ADD_ONS)
