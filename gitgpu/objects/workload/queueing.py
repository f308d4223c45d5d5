"""How a kind is queued: its integration in Kueue, the pods that start together, and the field that suspends it.

The integrations are in pkg/controller/jobs of kubernetes-sigs/kueue at ff69552e79ad.
"""

from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.source import Pointer

LABELS: Pointer = ("metadata", "labels")
ANNOTATIONS: Pointer = ("metadata", "annotations")


class Gang(StrEnum):
    """Which pods of an object a queue starts together: each alone, those of a replica, or all of them."""

    POD = "pod"
    REPLICA = "replica"
    OBJECT = "object"


class Integration(NamedTuple):
    """How Kueue queues the objects of a kind.

    `framework` is its name in `integrations.frameworks` of Kueue's configuration, and `labels` is where an object has
    the label with the name of its queue. Pods of kinds without an integration are queued one by one, by the labels of
    their template.
    """

    framework: str
    gang: Gang = Gang.OBJECT
    labels: Pointer = LABELS


class Suspend(NamedTuple):
    """The place of the value that keeps an object from creating pods, and the value; None for any value."""

    at: Pointer = ("spec", "suspend")
    value: Any = True
