"""Taints of nodes."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.model.names.labels import SCALE_SET_PRIORITY_LABEL


class Taint(NamedTuple):
    """A Kubernetes taint. `value` is "" if there is none."""

    key: str
    value: str
    effect: str

    @property
    def text(self) -> str:
        """The taint in the notation of AKS, key=value:Effect."""
        return f"{self.key}={self.value}:{self.effect}"


SPOT = Taint(SCALE_SET_PRIORITY_LABEL, "spot", "NoSchedule")


def parse_taint(text: str) -> Taint:
    """A taint in the notation of AKS, key=value:Effect. A part that is missing is ""."""
    # From the right, because a value may contain a colon and an effect cannot.
    front, colon, effect = text.rpartition(":")
    key, _, value = (front if colon else text).partition("=")
    return Taint(key, value, effect if colon else "")


def taints(items: Iterable[Mapping[str, Any]]) -> tuple[Taint, ...]:
    """The taints in the spec, sorted."""
    return tuple(sorted(Taint(item["key"], item.get("value", ""), item["effect"]) for item in items))
