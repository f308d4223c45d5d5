"""The pod templates of objects of all kinds whose controllers create pods."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.moved_places import move
from gitgpu.objects.workload.template import Template
from gitgpu.source import Pointer


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
            yield move((*template.metadata_at, key), template.moves)


def templates_in(body: Mapping[str, Any]) -> tuple[Template, ...]:
    """The same for an object that has not been checked yet: its content can have any shape."""
    known = WORKLOAD_KINDS.get(group_kind(body))
    return tuple(known.templates(body)) if known else ()
