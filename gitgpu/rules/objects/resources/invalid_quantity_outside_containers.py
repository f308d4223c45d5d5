"""A quantity that is not valid, outside of a container's resources."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import HORIZONTAL_POD_AUTOSCALER, LIMIT_RANGE, PERSISTENT_VOLUME_CLAIM, RESOURCE_QUOTA
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.resources._quantity import syntax_fault
from gitgpu.source import Pointer

_RANGES = ("default", "defaultRequest", "max", "maxLimitRequestRatio", "min")
_TARGETS = ("averageValue", "value")


def _check(objects: Objects) -> Iterator[Finding]:
    for item, place, amount in _amounts(objects):
        fault = syntax_fault(amount)
        if fault:
            yield Finding(item, place, *fault)


def _amounts(objects: Objects) -> Iterator[tuple[Item, Pointer, Any]]:
    for item in objects.of(*RESOURCE_QUOTA):
        yield from _each(item, item.body, (), ("spec", "hard"))
    for item in objects.of(*LIMIT_RANGE):
        for index, limit in enumerate(reach(item.body, "spec", "limits") or ()):
            for field in _RANGES:
                yield from _each(item, limit, ("spec", "limits", index), (field,))
    for item in objects.of(*PERSISTENT_VOLUME_CLAIM):
        for field in ("requests", "limits"):
            yield from _each(item, item.body, (), ("spec", "resources", field))
    for item in objects.of(*HORIZONTAL_POD_AUTOSCALER):
        yield from _targets(item)
    yield from _volumes(objects)


def _volumes(objects: Objects) -> Iterator[tuple[Item, Pointer, Any]]:
    for pod in described_pods(objects):
        for index, volume in enumerate(pod.spec.get("volumes") or ()):
            size = reach(volume, "emptyDir", "sizeLimit")
            if size is not None:
                yield pod.item, (*pod.pointer, "volumes", index, "emptyDir", "sizeLimit"), size


def _each(item: Item, body: Mapping[str, Any], place: Pointer, path: Pointer) -> Iterator[tuple[Item, Pointer, Any]]:
    return ((item, (*place, *path, key), value) for key, value in (reach(body, *path) or {}).items())


def _targets(item: Item) -> Iterator[tuple[Item, Pointer, Any]]:
    for index, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
        for source, body in (metric or {}).items():
            target = body.get("target") if isinstance(body, dict) else None
            for field in _TARGETS:
                if target and target.get(field) is not None:
                    yield item, ("spec", "metrics", index, source, "target", field), target[field]


RULE = Rule(
    code="NAM010",
    name="invalid-quantity-outside-containers",
    severity=Severity.ERROR,
    rejects=True,
    summary="A quota, limit range, volume or autoscaler has an invalid Kubernetes quantity.",
    help="The API server rejects other units, such as GB, and a space before the unit.",
    sources=("https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/",),
    check=_check,
)
