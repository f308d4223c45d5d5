"""The pod templates of objects of all kinds whose controllers create pods."""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any

from gitgpu import registry
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.objects import Item
from gitgpu.objects.workload import kinds
from gitgpu.objects.workload.template import Template, WorkloadKind

WORKLOAD_KINDS: Mapping[tuple[str, str], WorkloadKind] = MappingProxyType(
    {(known.group, known.kind): known for known in chain.from_iterable(registry.collect(kinds, "KINDS", tuple))}
)
WORKLOADS = tuple(WORKLOAD_KINDS)


def pod_templates(item: Item) -> tuple[Template, ...]:
    """The pod templates of an object, with their places (for a Pod, the object itself); () for other kinds."""
    known = WORKLOAD_KINDS.get(item.identity[:2])
    return tuple(known.templates(item.body)) if known else ()


def ends(item: Item) -> bool:
    """Whether the pods of an object run to completion."""
    known = WORKLOAD_KINDS.get(item.identity[:2])
    return known is not None and known.ends


def templates_in(body: Mapping[str, Any]) -> tuple[Template, ...]:
    """The same for an object that has not been checked yet: its content can have any shape."""
    known = WORKLOAD_KINDS.get(group_kind(body))
    return tuple(known.templates(body)) if known else ()
