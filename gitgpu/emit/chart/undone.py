"""Values of a chart that undo a decision: gitgpu sets them, or relies on the default of the chart."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitgpu.access import ABSENT, value_at
from gitgpu.emit.chart.decisions import Decision, Path, decision_at, leaves, relied_values
from gitgpu.emit.chart.releases import Release
from gitgpu.emit.emitter import Body, tolerations
from gitgpu.load.explain.messages import value_text
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.placement import daemon_placement

_EVERY_TAINT = {"operator": "Exists"}


class Undone(NamedTuple):
    """A value that undoes a decision: `change` is the value in words."""

    path: Path
    change: str
    decision: Decision

    @property
    def message(self) -> str:
        """What the value undoes, in words."""
        return f"{self.change} overrides a gitgpu setting: {self.decision.meaning}"

    def remedy(self, written: str) -> str:
        """What to do; `written` is what to remove."""
        keys = " or ".join(self.decision.keys)
        return f"remove {written}, and use {keys} to change this" if keys else f"remove {written}"


def undone_decisions(release: Release, plan: ClusterPlan, values: Any) -> Iterator[Undone]:
    """What these values of a release undo. The values can have any shape."""
    ours = {path: value for path, value in leaves(release.own) if _matters(path, plan)}
    relied = ((path, value) for path, value in leaves(relied_values(plan, release.chart)) if path not in ours)
    for path, value in [*ours.items(), *relied]:
        actual, decision = value_at(values, path), decision_at(release.chart.release, path)
        # Only copied values are not part of a decision.
        wanted = _needed(plan) if value == [_EVERY_TAINT] else value
        if decision and path not in release.copied and not _is_kept(path, wanted, actual, is_own=path in ours):
            dotted = ".".join(path)
            change = f"removing {dotted}" if actual is ABSENT else f"{dotted}: {value_text(actual)}"
            yield Undone(path, change, decision)


def _needed(plan: ClusterPlan) -> list[Body]:
    """The tolerations that software for NVIDIA GPUs needs on the nodes of its pools."""
    pools = (pool for pool in plan.pools if pool.pool.manufacturer == "nvidia")
    served = daemon_placement(pool for pool in pools if pool.driver == "operator" or pool.claimed)
    return tolerations(served.tolerations)


def _matters(path: Path, plan: ClusterPlan) -> bool:
    """Whether the output relies on a value: without NVIDIADrivers of its own, it works with either kind of driver."""
    return path[:2] != ("driver", "nvidiaDriverCRD") or bool(plan.operator and plan.operator.drivers)


def _is_kept(path: Path, value: Any, actual: Any, *, is_own: bool) -> bool:
    """Whether a value is as gitgpu sets it. A list may have more entries, or tolerate every taint.

    A missing value counts as kept if gitgpu relies on the default of the chart.
    """
    if actual is ABSENT:
        return not is_own
    if isinstance(value, list) and isinstance(actual, list):
        return all(entry in actual for entry in value) or (path[-1] == "tolerations" and _EVERY_TAINT in actual)
    return bool(value == actual)
