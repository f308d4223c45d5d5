"""The queue of pods, and whether an object is suspended."""

from typing import NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.model.names.annotations import POD_GROUP_NAME
from gitgpu.model.names.labels import QUEUE_LABEL
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.moved_places import place_in_object
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.queueing import LABELS, Gang
from gitgpu.source import Pointer


class Queued(NamedTuple):
    """The LocalQueue of some pods, the place of its name in the object, and which pods start together.

    `framework` is the integration of Kueue that must be enabled. `group` is the name that pods of several objects, or
    of one that Kueue has no integration for, share if they start together; "" if there is none.
    """

    name: str
    pointer: Pointer
    gang: Gang
    framework: str
    group: str = ""


def queue_of(pod: Pod) -> Queued | None:
    """The queue that the labels of the object, or of its pods, name; None if they name none.

    The API server gives the queue `default` to objects without one, if their namespace has a LocalQueue of that name.
    """
    known = WORKLOAD_KINDS.get(pod.item.identity[:2])
    kueue = known.integration if known else None
    if kueue and (name := text_at(pod.item.body, *kueue.labels, QUEUE_LABEL)):
        return Queued(name, (*kueue.labels, QUEUE_LABEL), kueue.gang, kueue.framework)
    if name := text_at(pod.labels, QUEUE_LABEL):
        group = text_at(pod.annotations, POD_GROUP_NAME) or text_at(pod.labels, POD_GROUP_NAME)
        place = place_in_object(pod.item.given.places, (*pod.pointer[:-1], *LABELS, QUEUE_LABEL))
        return Queued(name, place, Gang.POD, "pod", group)
    return None


def may_be_queued(pod: Pod) -> bool:
    """Whether Kueue may decide when the pods start: its users can add integrations for more kinds."""
    return queue_of(pod) is not None or QUEUE_LABEL in mapping_at(pod.item.body, *LABELS)


def suspension_place(item: Item) -> Pointer | None:
    """The place of the value that keeps an object from creating pods; None if it is not suspended."""
    known = WORKLOAD_KINDS.get(item.identity[:2])
    if known is None or known.suspend is None:
        return None
    value = reach(item.body, *known.suspend.at)
    is_set = value is not None if known.suspend.value is None else value == known.suspend.value
    return known.suspend.at if is_set else None
