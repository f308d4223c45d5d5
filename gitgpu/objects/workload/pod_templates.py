"""The pod templates of objects of all kinds whose controllers create pods."""

from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any

from gitgpu import registry
from gitgpu.model.fleet import Workload
from gitgpu.model.names.kinds import VOLCANO_JOB, group_kind
from gitgpu.objects.objects import Item
from gitgpu.objects.workload import kinds
from gitgpu.objects.workload.moved_places import moved
from gitgpu.objects.workload.shape import Shape
from gitgpu.objects.workload.template import Template, WorkloadKind
from gitgpu.source import Pointer

WORKLOAD_KINDS: Mapping[tuple[str, str], WorkloadKind] = MappingProxyType(
    {(known.group, known.kind): known for known in chain.from_iterable(registry.collect(kinds, "KINDS", tuple))}
)
WORKLOADS = tuple(WORKLOAD_KINDS)
# The kinds of targets. The Job of Volcano has a name that Kubernetes has too, so that a target needs its version.
SHAPES: Mapping[str, Shape] = MappingProxyType(
    {known.kind: known.shape for identity, known in WORKLOAD_KINDS.items() if known.shape and identity != VOLCANO_JOB}
)
# The shapes by kind and version, for targets that name their version.
VERSIONS: Mapping[str, Mapping[str, Shape]] = MappingProxyType(
    {
        kind: {
            shape.api_version: shape
            for known in WORKLOAD_KINDS.values()
            if known.kind == kind
            for shape in filter(None, (known.shape, *known.others))
        }
        for kind in SHAPES
    }
)

# The kinds of targets whose pods run to completion.
ENDING = frozenset(known.kind for known in WORKLOAD_KINDS.values() if known.shape and known.ends)


def target_shape(workload: Workload) -> Shape:
    """The shape of the object that a workload targets; that of the newest version if it names one that is unknown."""
    kind = workload.target_kind
    return VERSIONS[kind].get(workload.target_version, SHAPES[kind])


def target_group(workload: Workload) -> str:
    """The group of pods that a workload means; "" for kinds without groups, and if the kind has no default."""
    groups = target_shape(workload).groups
    return workload.target_group or (groups.default if groups else "")


def shape_of(item: Item) -> Shape | None:
    """How a patch reaches the pods of an object; None if it cannot."""
    known = WORKLOAD_KINDS.get(item.identity[:2])
    if known is None or known.shape is None:
        return None
    return VERSIONS[known.kind].get(str(item.body.get("apiVersion")), known.shape)


def pod_templates(item: Item) -> tuple[Template, ...]:
    """The pod templates of an object, with their places (for a Pod, the object itself); () for other kinds."""
    known = WORKLOAD_KINDS.get(item.identity[:2])
    return tuple(known.templates(item.body)) if known else ()


def ends(item: Item) -> bool:
    """Whether the pods of an object run to completion."""
    known = WORKLOAD_KINDS.get(item.identity[:2])
    return known is not None and known.ends


def metadata_places(item: Item, key: str) -> Iterator[Pointer]:
    """The places of the labels or annotations that the pods of an object get: those of its templates."""
    for template in pod_templates(item):
        if template.pointer:
            yield moved((*template.metadata_at, key), template.moves)


def templates_in(body: Mapping[str, Any]) -> tuple[Template, ...]:
    """The same for an object that has not been checked yet: its content can have any shape."""
    known = WORKLOAD_KINDS.get(group_kind(body))
    return tuple(known.templates(body)) if known else ()
