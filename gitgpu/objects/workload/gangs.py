"""Which pods start, or are of use, only together: what their object, or the group that they name, says about it."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.model.names.annotations import VOLCANO_GROUP_ANNOTATIONS
from gitgpu.model.names.kinds import (
    POD_GROUP,
    SCHEDULER_PLUGINS_POD_GROUP,
    VOLCANO_JOB,
    VOLCANO_POD_GROUP,
    WORKLOAD,
    GroupKind,
)
from gitgpu.model.names.labels import POD_GROUP_LABEL
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.queueing import Gang
from gitgpu.objects.workload.template import whole


class PodGang(NamedTuple):
    """Pods that belong together: the object that says so, and the fewest that start; None for all of them.

    With `by_replica`, each replica of the object is a gang of its own. It is `certain` that a scheduler starts none of
    them before, if the kind exists only for this scheduler; others can be started one by one, and wait for each other.
    """

    item: Item
    least: int | None
    certain: bool = False
    by_replica: bool = False


def gang_of(pod: Pod, objects: Objects) -> PodGang | None:
    """The gang of some pods; None if each pod is of use alone."""
    for kind, name in _groups(pod):
        if group := _named(kind, name, pod, objects):
            least = _least(group, pod)
            return PodGang(group, least, certain=kind in _SCHEDULED) if least else None
    known = WORKLOAD_KINDS.get(pod.item.identity[:2])
    if known and known.gang_label in mapping_at(pod.item.body, "metadata", "labels"):
        return PodGang(pod.item, None)
    gang = known.gang_in(pod.item.body) if known else Gang.POD
    if known is None or gang is Gang.POD:
        return None
    certain = pod.item.identity[:2] == VOLCANO_JOB
    return PodGang(pod.item, known.least(pod.item.body), certain, gang is Gang.REPLICA)


def unknown_group(pod: Pod, objects: Objects) -> str:
    """The group that the pods name, if it is not in the input; "" otherwise."""
    missing = (f"{kind.kind} {name}" for kind, name in _groups(pod) if _named(kind, name, pod, objects) is None)
    return next(missing, "")


# Kinds that exist only for a scheduler that starts their pods together. AKS has Kubernetes' own turned off.
_SCHEDULED = (SCHEDULER_PLUGINS_POD_GROUP, VOLCANO_POD_GROUP)


def _groups(pod: Pod) -> Iterator[tuple[GroupKind, str]]:
    """The groups that the pods name: fields of Kubernetes 1.36 and 1.35, a label and annotations of schedulers."""
    names = [
        (POD_GROUP, text_at(pod.spec, "schedulingGroup", "podGroupName")),
        (WORKLOAD, text_at(pod.spec, "workloadRef", "name")),
        (SCHEDULER_PLUGINS_POD_GROUP, text_at(pod.labels, POD_GROUP_LABEL)),
        *((VOLCANO_POD_GROUP, text_at(pod.annotations, key)) for key in VOLCANO_GROUP_ANNOTATIONS),
    ]
    return ((kind, name) for kind, name in names if name)


def _named(kind: GroupKind, name: str, pod: Pod, objects: Objects) -> Item | None:
    space = pod.item.identity.namespace
    return next((item for item in objects.by_name(*kind, name) if item.identity.namespace == space), None)


def _least(group: Item, pod: Pod) -> int:
    """The fewest pods of a group that start together; 0 if they start one by one."""
    spec = mapping_at(group.body, "spec")
    if group.identity[:2] == WORKLOAD:
        own = reach(pod.spec, "workloadRef", "podGroup")
        spec = next((each for each in rows(spec, "podGroups") if each.get("name") == own), {})
    if group.identity[:2] in _SCHEDULED:
        return whole(spec, "minMember", 0)
    policy = mapping_at(spec, "schedulingPolicy") or mapping_at(spec, "policy")
    return whole(mapping_at(policy, "gang"), "minCount", 0)
