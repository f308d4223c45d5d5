"""What a simulation passes over though it decides on nodes: scalers without effect, pods that an operator makes."""

from collections.abc import Iterable, Iterator

from gitgpu.conform.objects import Item, Objects
from gitgpu.conform.scalers import scaled_objects, target
from gitgpu.simulate.refused import SCALERS, Refused
from gitgpu.simulate.workloads import Work, hpas

_OPERATED = (("kaito.sh", "Workspace"), ("kaito.sh", "InferenceSet"))


def passed_over(objects: Objects, found: Iterable[Work], refused: Iterable[Refused]) -> Iterator[str]:
    """A sentence about each of them."""
    for one, fault in refused:
        if one.kind in SCALERS:
            name = _name(one.kind, one.namespace, one.name)
            place = f"{fault.span.file}:{fault.span.line}"
            yield f"{name} scales nothing, for the API server refuses it: {fault.message} ({place})"
    here = {one.pod.item.identity for one in found if one.scaled}
    scaled = {(one.kind, one.namespace, one.name) for one in here}
    for item in (*hpas(objects), *scaled_objects(objects)):
        _, kind, namespace, name = target(item)
        if (kind, namespace, name) not in scaled:
            yield f"{_of(item)} scales {_name(kind, namespace, name)}, whose pods are not simulated with it"
    for family, kind in _OPERATED:
        for item in objects.of(family, kind):
            yield f"{_of(item)} is not simulated: KAITO makes its pods"


def _of(item: Item) -> str:
    return _name(item.identity.kind, item.identity.namespace, item.identity.name)


def _name(*parts: str) -> str:
    kind, *rest = parts
    return f"{kind} {'/'.join(part for part in rest if part)}"
