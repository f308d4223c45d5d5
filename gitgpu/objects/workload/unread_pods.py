"""Objects without a schema that contain pods which are not read: of an unknown kind, or without a pod template."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach, rows
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.objects.objects import Item
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.objects.workload.pod_templates import pod_templates


def is_unknown(item: Item) -> bool:
    """Whether gitgpu does not know where the object has its pods, so that it finds pod templates by their shape.

    Another version of a known kind can have them elsewhere.
    """
    return item.scope is Scope.UNKNOWN and (item.identity[:2] not in WORKLOADS or not pod_templates(item))


def is_template(value: Mapping[str, Any]) -> bool:
    """Whether it is a pod template."""
    return isinstance(reach(value, "spec", "containers"), list)


def has_unread_pods(item: Item) -> bool:
    """Whether the object has a pod template that is not read, or requests devices for pods outside of templates."""
    spec = item.body.get("spec")
    return is_unknown(item) and (_has_template(spec) or any(map(_is_device, unread_resources(item))))


def unread_resources(item: Item) -> Iterator[str]:
    """The resources that an object without a schema requests, if no pod template of it is complete."""
    templates = pod_templates(item)
    are_read = not all(template.partial for template in templates)
    if not (item.is_patch or item.scope is not Scope.UNKNOWN or are_read):
        yield from _requested(item.body.get("spec"))
        for template in templates:
            for container in rows(template.body, "spec", "containers"):
                yield from _requested(container)


def _is_device(resource: str) -> bool:
    return "/" in resource and KUBERNETES_PREFIX not in resource


def _has_template(value: Any) -> bool:
    if isinstance(value, dict):
        return is_template(value) or any(map(_has_template, value.values()))
    return isinstance(value, list) and any(map(_has_template, value))


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
