"""The parts of a cluster's Azure resource ID."""

from typing import NamedTuple


class ResourceId(NamedTuple):
    """/subscriptions/<subscription>/resourceGroups/<group>/providers/.../<name>."""

    subscription: str
    group: str
    name: str


def resource_id(text: str) -> ResourceId:
    """The parts of a valid ID."""
    _, _, subscription, _, group, *_, name = text.split("/")
    return ResourceId(subscription, group, name)
