"""Conditions in the status of an object."""

from typing import NamedTuple

from gitgpu.access import rows, text_at
from gitgpu.objects.objects import Item


class Condition(NamedTuple):
    """A condition; `status` is True, False or Unknown, `since` the time of its last change."""

    type: str
    status: str
    reason: str
    message: str
    since: str

    def __str__(self) -> str:
        reason = f" ({self.reason})" if self.reason else ""
        message = f": {self.message}" if self.message else ""
        return f"condition {self.type} is {self.status}{reason}{message}"


def conditions(item: Item) -> list[Condition]:
    """All conditions of an object."""
    keys = ("type", "status", "reason", "message", "lastTransitionTime")
    return [Condition(*(text_at(row, key) for key in keys)) for row in rows(item.body, "status", "conditions")]


def condition(item: Item, name: str) -> Condition | None:
    """The condition with this name; None if there is none."""
    return next((entry for entry in conditions(item) if entry.type == name), None)
