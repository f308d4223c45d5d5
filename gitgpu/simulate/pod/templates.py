"""Pod templates in objects of kinds that gitgpu has no schema for, and how many pods each of them has.

The replicas of a RayCluster follow ray-operator/controllers/ray/utils/util.go of ray-project/kuberay at feeaf72facab.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.devices import is_gpu_resource
from gitgpu.source import Pointer

_RAY_GROUPS, _RAY_MAXIMUM = "workerGroupSpecs", 2**31 - 1
# Keys that change the number of pods, and are read only where a kind is known.
_SCALING = ("autoscaling", "elasticPolicy", "maxReplicas", "minReplicas", "numSlices", "scaleTarget")
_RAY_SCALING = ("maxReplicas", "minReplicas")


class Template(NamedTuple):
    """A pod template with its place, and the fewest and most pods of it."""

    pointer: Pointer
    body: Mapping[str, Any]
    low: int
    high: int


class _Count(NamedTuple):
    low: int = 1
    high: int = 1

    def times(self, low: int, high: int) -> "_Count":
        return _Count(self.low * max(low, 0), self.high * max(high, 0))


def templates(item: Item) -> Iterator[Template]:
    """Every pod template in an object of an unknown kind, with the product of the replica counts above it."""
    if not item.is_patch and item.scope is Scope.UNKNOWN:
        yield from _templates(item.body.get("spec"), ("spec",), _Count())


def unread_scaling(item: Item) -> str:
    """A key of the object that changes how many pods it has, and is not read; "" if there is none."""
    return next(_unread(item.body.get("spec")), "") if item.scope is Scope.UNKNOWN else ""


def unread_requests(item: Item, objects: Objects) -> list[str]:
    """The GPU resources that an object of an unknown kind requests outside of a pod template."""
    if item.is_patch or item.scope is not Scope.UNKNOWN:
        return []
    return sorted({name for name in _requested(item.body.get("spec")) if is_gpu_resource(name, objects)})


def is_template(value: Mapping[str, Any]) -> bool:
    """Whether it is a pod template."""
    return isinstance(reach(value, "spec", "containers"), list)


def job_pods(spec: Mapping[str, Any]) -> int:
    """How many pods of a Job run at the same time."""
    at_once, all_ = spec.get("parallelism"), spec.get("completions")
    count = 1 if at_once is None else at_once
    return count if all_ is None else min(count, all_)


def _templates(value: Any, pointer: Pointer, count: _Count) -> Iterator[Template]:
    if isinstance(value, dict):
        if is_template(value):
            yield Template(pointer, value, *count)
            return
        pods = count.times(replicas := _replicas(value), replicas)
        for key, below in value.items():
            if key == _RAY_GROUPS:
                yield from _of_ray(value, (*pointer, key), count)
            else:
                workers = _workers(value, key)
                yield from _templates(below, (*pointer, key), pods.times(workers, workers))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _templates(below, (*pointer, index), count)


def _of_ray(cluster: Mapping[str, Any], pointer: Pointer, count: _Count) -> Iterator[Template]:
    """The worker groups of a RayCluster: with its autoscaler, between their bounds."""
    for index, group in enumerate(map(mapping_at, list_at(cluster[_RAY_GROUPS]))):
        low, high = _whole(group, "minReplicas", 0), _whole(group, "maxReplicas", _RAY_MAXIMUM)
        if cluster.get("enableInTreeAutoscaling") is not True:
            low = high = min(max(_whole(group, "replicas", 0), low), high)
        hosts = _whole(group, "numOfHosts", 1)
        template = group.get("template")
        if isinstance(template, dict) and is_template(template):
            yield Template((*pointer, index, "template"), template, *count.times(low * hosts, high * hosts))


def _replicas(value: Mapping[str, Any]) -> int:
    """The replicas that an object sets, or the parallelism of a Job; 1 if neither."""
    if isinstance(value.get("replicas"), int):
        return int(value["replicas"])
    counts = {key: value[key] for key in ("parallelism", "completions") if isinstance(value.get(key), int)}
    return job_pods(counts) if "parallelism" in counts else 1


def _workers(value: Mapping[str, Any], key: str) -> int:
    """How many workers a LeaderWorkerSet has for each leader."""
    size = value.get("size")
    if key != "workerTemplate" or not isinstance(size, int):
        return 1
    # `size` counts the leader. Without leaderTemplate, the leader is created from the template of the workers.
    return max(size - 1, 0) if value.get("leaderTemplate") else size


def _unread(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if is_template(value):
            return
        for key, below in value.items():
            if (key == "suspend" and below is True) or key in _SCALING:
                yield key
            elif key == _RAY_GROUPS:
                for group in map(mapping_at, list_at(below)):
                    yield from _unread({name: part for name, part in group.items() if name not in _RAY_SCALING})
            else:
                yield from _unread(below)
    elif isinstance(value, list):
        for below in value:
            yield from _unread(below)


def _requested(value: Any) -> Iterator[str]:
    """The resources of all `resources` below a value that are not in a pod template."""
    if isinstance(value, dict):
        if is_template(value):
            return
        for kind in ("limits", "requests"):
            yield from map(str, mapping_at(value, "resources", kind))
        for below in value.values():
            yield from _requested(below)
    elif isinstance(value, list):
        for below in value:
            yield from _requested(below)


def _whole(group: Mapping[str, Any], key: str, default: int) -> int:
    value = group.get(key)
    return value if isinstance(value, int) else default
