"""Converts the Job of a ScaledJob to `job` of a GpuWorkload, without what gitgpu adds to it."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.emit.pod.list_defaults import without_list_defaults


def own_job(job: Mapping[str, Any], container: str, resource: str, taints: Iterable[str]) -> dict[str, Any]:
    """The Job without defaults, the GPUs of this container, its node affinity, and tolerations of the pools' taints."""
    template = mapping_at(job, "template")
    pod = dict(mapping_at(template, "spec"))
    taint_keys = set(taints)
    pod["containers"] = [_without(mapping_at(entry), container, resource) for entry in pod.get("containers") or ()]
    affinity = {key: value for key, value in mapping_at(pod, "affinity").items() if key != "nodeAffinity"}
    tolerations = [
        toleration for toleration in pod.get("tolerations") or () if reach(toleration, "key") not in taint_keys
    ]
    for key, value in (("affinity", affinity), ("tolerations", tolerations)):
        if value:
            pod[key] = value
        else:
            pod.pop(key, None)
    return {**job, "template": {**template, "spec": without_list_defaults(pod)}}


def _without(container: Mapping[str, Any], name: str, resource: str) -> dict[str, Any]:
    """A container without the amounts of a resource, if it has this name."""
    if container.get("name") != name:
        return dict(container)
    kept: dict[str, Any] = {}
    for kind, amounts in mapping_at(container, "resources").items():
        others = {key: amount for key, amount in mapping_at(amounts).items() if key != resource}
        if others:
            kept[kind] = others
    without = {**container, "resources": kept}
    if not kept:
        del without["resources"]
    return without
