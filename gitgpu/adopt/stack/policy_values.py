"""The values of a GPU Operator whose release was not read, from the ClusterPolicy that its chart created.

The spec of a ClusterPolicy has the keys of the chart's values, with all defaults written out
(https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/templates/clusterpolicy.yaml).
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.field_outcomes import fields
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.names.kinds import CONFIG_MAP, NVIDIA_DRIVER
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.gitops.value_keys import keys, unread_paths
from gitgpu.objects.objects import Objects
from gitgpu.source import Pointer

CONFIGS: tuple[Pointer, ...] = (
    ("devicePlugin", "config"),
    ("dcgmExporter", "config"),
    ("migManager", "config"),
)  # ConfigMaps that the chart creates from its values, if `create` is set
_IMAGE = ("repository", "image", "version", "imagePullPolicy")
_UNSET: tuple[Any, ...] = (None, "", [], {})
COUNTERS = "dcgm-metrics.csv"  # in the chart, the value of this key is the whole `data`


def policy_values(policy: Release, objects: Objects) -> dict[str, Any]:
    """The values of a ClusterPolicy that differ from the defaults of its chart."""
    row = chart_row(policy, objects)
    defaults = reduce(merge_patch, _images(row), row.get("defaults") or {})
    values: dict[str, Any] = {}
    for path, value in fields(policy.values):
        default = reach(defaults, *path)
        if value not in (*_UNSET, default) and not (path[-1] in _IMAGE and default is None):
            values = merge_patch(values, nest(path, value))
    by_objects = reach(values, "driver", "useNvidiaDriverCRD") is True
    if chart_keys := keys(policy, objects):
        values = reduce(merge_patch, (nest(path, None) for path in [*unread_paths(values, chart_keys)]), values)
    if by_objects:
        values = merge_patch(values, {"driver": {"nvidiaDriverCRD": _driver_objects(objects)}})
    created = (nest(path, _created(reach(values, *path, "name"), objects)) for path in CONFIGS)
    return dict(reduce(merge_patch, (patch for patch in created if patch), values))


def nest(path: Pointer, value: Any) -> dict[str, Any]:
    """A mapping with one value, at a path; empty if the value is an empty mapping."""
    if value == {}:
        return {}
    body = value
    for key in reversed(path):
        body = {str(key): body}
    return dict(body)


def _images(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The default images of the operands, as values."""
    for image in row.get("images", ()):
        for path, registry in image["registry"].items():
            yield nest(tuple(path.split(".")), registry)
        if "nameValue" in image:
            yield nest(tuple(image["nameValue"].split(".")), image["image"].rpartition("/")[2])
        if "tagValue" in image:
            yield nest(tuple(image["tagValue"].split(".")), image["tag"])


def _driver_objects(objects: Objects) -> dict[str, Any]:
    """The values with which NVIDIADrivers set the driver. By default the chart creates the one named default."""
    names = {item.identity.name for item in objects.of(*NVIDIA_DRIVER)}
    return {"enabled": True} | ({"deployDefaultCR": False} if names and "default" not in names else {})


def _created(name: Any, objects: Objects) -> dict[str, Any]:
    """The values that create the ConfigMap of this name, if the chart has created it."""
    for item in objects.by_name(*CONFIG_MAP, str(name or "")):
        data = mapping_at(item.body, "data")
        if reach(item.body, "metadata", "labels", MANAGED_BY_LABEL) == "Helm" and data:
            return {"create": True, "data": data.get(COUNTERS, data)}
    return {}
