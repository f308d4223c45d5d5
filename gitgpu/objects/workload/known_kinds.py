"""The kinds whose controllers create pods."""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from gitgpu import registry
from gitgpu.objects.workload import kinds
from gitgpu.objects.workload.shape import Shape
from gitgpu.objects.workload.template import WorkloadKind

WORKLOAD_KINDS: Mapping[tuple[str, str], WorkloadKind] = MappingProxyType(
    {(known.group, known.kind): known for known in chain.from_iterable(registry.collect(kinds, "KINDS", tuple))}
)
WORKLOADS = tuple(WORKLOAD_KINDS)
SHAPES: Mapping[str, Shape] = MappingProxyType(
    {known.kind: known.shape for known in WORKLOAD_KINDS.values() if known.shape}
)

# The kinds of targets whose pods run to completion.
ENDING = frozenset(known.kind for known in WORKLOAD_KINDS.values() if known.shape and known.ends)


def target_group(kind: str, written: str) -> str:
    """The group of pods that a target means; "" for kinds without groups, and if the kind has no default."""
    groups = SHAPES[kind].groups
    return written or (groups.default if groups else "")
