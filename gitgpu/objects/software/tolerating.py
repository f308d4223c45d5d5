"""How to make daemons tolerate the taints of a pool, wherever their tolerations are written."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at
from gitgpu.objects.gitops.chart_values import effective_value
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import Daemon
from gitgpu.schedule.taint import untolerated_taints

Taint = Mapping[str, Any]


def toleration_text(taint: Taint) -> str:
    """The toleration of a taint, as flow YAML."""
    return _text(_toleration(taint))


def value_with_tolerations(release: Release, path: str, taints: Iterable[Taint], objects: Objects) -> str:
    """`PATH.tolerations: [...]`: what is in effect, and what these taints need in addition; "" if they need nothing.

    Helm replaces the whole list of a chart, so the new list repeats the chart's own tolerations. `path` is dotted.
    """
    keys = [*filter(None, path.split(".")), "tolerations"]
    present = [item for item in list_at(effective_value(release, objects, *keys)) if isinstance(item, dict)]
    missing = [_toleration(taint) for taint in untolerated_taints(taints, present)]
    if not missing:
        return ""
    return f"{'.'.join(keys)}: [{', '.join(map(_text, (*present, *missing)))}]"


def tolerate(workloads: Iterable[Daemon], taints: Sequence[Taint], objects: Objects) -> str:
    """The changes that make these daemons tolerate the taints, in the imperative; "" if some have no such setting."""
    steps: dict[str, None] = {}
    for daemon in workloads:
        missing = untolerated_taints(taints, daemon.pod.tolerations) if daemon.pod else taints
        if missing and daemon.release:
            steps[f"set {value_with_tolerations(*daemon.release, taints, objects)} in {daemon.title}"] = None
        elif missing and daemon.pod and daemon.pod.is_daemon:
            steps[f"add {', '.join(map(toleration_text, missing))} to the tolerations of {daemon.title}"] = None
        elif missing:
            return ""
    return ", and ".join(steps)


def _toleration(taint: Taint) -> dict[str, Any]:
    condition = {"operator": "Equal", "value": taint["value"]} if taint.get("value") else {"operator": "Exists"}
    return {"key": taint.get("key"), **condition, "effect": taint.get("effect")}


def _text(toleration: Taint) -> str:
    parts = (f'{key}: "{value}"' if key == "value" else f"{key}: {value}" for key, value in toleration.items())
    return f"{{{', '.join(parts)}}}"
