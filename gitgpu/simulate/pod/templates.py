"""Pod templates in objects of kinds that gitgpu does not know, and how many pods each of them has."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.completed import complete
from gitgpu.objects.workload.devices import is_gpu_resource
from gitgpu.objects.workload.template import Template, exactly, job_pods
from gitgpu.objects.workload.unread_pods import is_template, is_unknown, unread_resources
from gitgpu.source import Pointer

# Keys that change the number of pods, and are read only where a kind is known.
_SCALING = ("autoscaling", "elasticPolicy", "maxReplicas", "minReplicas", "numSlices", "scaleTarget")


def templates(item: Item) -> Iterator[Template]:
    """Every pod template in an object of an unknown kind, with the product of the replica counts above it."""
    if not item.is_patch and is_unknown(item):
        yield from _templates(item.body.get("spec"), ("spec",), 1)


def unread_scaling(item: Item) -> str:
    """A key of the object that changes how many pods it has, and is not read; "" if there is none."""
    return next(_unread(item.body.get("spec")), "") if is_unknown(item) else ""


def unread_requests(item: Item, objects: Objects) -> list[str]:
    """The GPU resources that an object without a schema requests outside of pod templates that are read."""
    return sorted({name for name in unread_resources(complete(item, objects)) if is_gpu_resource(name, objects)})


def _templates(value: Any, pointer: Pointer, pods: int) -> Iterator[Template]:
    if isinstance(value, dict):
        if is_template(value):
            yield Template(pointer, value, (*pointer, "spec"), partial(exactly, pods))
            return
        each = pods * max(_replicas(value), 0)
        for key, below in value.items():
            yield from _templates(below, (*pointer, key), each)
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _templates(below, (*pointer, index), pods)


def _replicas(value: Mapping[str, Any]) -> int:
    """The replicas that an object sets, or the parallelism of a Job; 1 if neither."""
    if isinstance(value.get("replicas"), int):
        return int(value["replicas"])
    counts = {key: value[key] for key in ("parallelism", "completions") if isinstance(value.get(key), int)}
    return job_pods(counts) if "parallelism" in counts else 1


def _unread(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if is_template(value):
            return
        for key, below in value.items():
            if (key == "suspend" and below is True) or key in _SCALING:
                yield key
            else:
                yield from _unread(below)
    elif isinstance(value, list):
        for below in value:
            yield from _unread(below)
