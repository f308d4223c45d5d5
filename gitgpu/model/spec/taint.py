"""Taints of nodes."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.model.names.labels import SCALE_SET_PRIORITY_LABEL


class Taint(NamedTuple):
    """A Kubernetes taint. `value` is "" if there is none."""

    key: str
    value: str
    effect: str


SPOT = Taint(SCALE_SET_PRIORITY_LABEL, "spot", "NoSchedule")


def taints(items: Iterable[Mapping[str, Any]]) -> tuple[Taint, ...]:
    """The taints in the spec, sorted."""
    return tuple(sorted(Taint(item["key"], item.get("value", ""), item["effect"]) for item in items))
