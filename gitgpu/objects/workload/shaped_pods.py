"""The target of a patch for pods that exist: the group that they are in, and the name of a container there."""

from collections.abc import Iterator
from typing import Any

from gitgpu.access import reach
from gitgpu.objects.workload.known_kinds import shape_of
from gitgpu.objects.workload.moved_places import place_in_object
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.shape import Path, Shape
from gitgpu.source import Pointer

_HEAD = "head"  # of Ray


def group_of(pod: Pod) -> str | None:
    """The group of the pods in their object, "" if its kind has one group; None if a patch cannot reach them."""
    shape = shape_of(pod.item.identity[:2], str(pod.item.body.get("apiVersion")))
    if shape is None:
        return None
    at = shape.pods_at or shape.spec_at
    groups = _candidates(pod, shape) if shape.groups else ("",)
    return next((group for group in groups if _resolved(pod.item.body, at(group)) == pod.pointer), None)


def container_name(pod: Pod, name: str) -> str:
    """The name that a patch uses for a container: its own, or its key in an object that has no list of them."""
    for place, container in pod.containers():
        if container.get("name") == name:
            *_, last = place_in_object(pod.item.given.places, place)
            return last if isinstance(last, str) else name
    return name


def _candidates(pod: Pod, shape: Shape) -> Iterator[str]:
    """The names of groups, and the keys and names on the way to the pods. One is their group."""
    yield from (shape.groups.names if shape.groups else None) or ()
    value: Any = pod.item.body
    for part in pod.pointer:
        value = reach(value, part)
        yield str(part).removesuffix("Template")
        for key in ("groupName", "name"):
            if name := reach(value, key):
                yield str(name)
    yield _HEAD


def _resolved(body: Any, path: Path) -> Pointer | None:
    """Where a path leads in an object; None if nothing is there."""
    pointer: list[str | int] = []
    value = body
    for step in path:
        found: str | int | None = step if isinstance(step, str) else _index(value, *step)
        value = None if found is None else reach(value, found)
        if found is None or value is None:
            return None
        pointer.append(found)
    return tuple(pointer)


def _index(value: Any, by: str, name: str) -> int | None:
    entries = value if isinstance(value, list) else []
    return next((index for index, entry in enumerate(entries) if reach(entry, by) == name), None)
