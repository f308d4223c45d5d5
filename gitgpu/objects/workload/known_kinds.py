"""The kinds whose controllers create pods."""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from gitgpu import registry
from gitgpu.model.fleet import Workload
from gitgpu.model.names.kinds import VOLCANO_JOB
from gitgpu.objects.workload import kinds
from gitgpu.objects.workload.shape import Shape
from gitgpu.objects.workload.template import WorkloadKind

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


def shape_of(group_kind: tuple[str, str], api_version: str) -> Shape | None:
    """How a patch reaches the pods of an object; None if it cannot."""
    known = WORKLOAD_KINDS.get(group_kind)
    if known is None or known.shape is None:
        return None
    return VERSIONS[known.kind].get(api_version, known.shape)
