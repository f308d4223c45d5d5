"""An update strategy that the API server rejects."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEPLOYMENT
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Zero as a number or as a percentage.
_ZERO = re.compile(r"0+%?\Z", re.ASCII)
_ROLLING, _DEADLINE = "rollingUpdate", 600  # the default of progressDeadlineSeconds


def _check(objects: Objects) -> Iterator[Finding]:
    for kind, field, faults_of in (
        ("Deployment", "strategy", _deployment_faults),
        ("DaemonSet", "updateStrategy", _daemon_set_faults),
    ):
        for item in objects.of("apps", kind):
            strategy = reach(item.body, "spec", field) or {}
            for below, message, remedy in faults_of(strategy):
                yield Finding(item, ("spec", field, *below), message, remedy)
    for item in objects.of(*DEPLOYMENT):
        spec = reach(item.body, "spec") or {}
        written = spec.get("progressDeadlineSeconds")
        minimum, maximum = spec.get("minReadySeconds") or 0, _DEADLINE if written is None else written
        if minimum >= maximum:
            message = f"progressDeadlineSeconds ({maximum}) must be greater than minReadySeconds ({minimum})"
            place = "minReadySeconds" if written is None else "progressDeadlineSeconds"
            yield Finding(item, ("spec", place), message, f"set progressDeadlineSeconds to more than {minimum}")


def _deployment_faults(strategy: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    rolling = strategy.get(_ROLLING) or {}
    if strategy.get("type") == "Recreate" and strategy.get(_ROLLING) is not None:
        yield (
            (_ROLLING,),
            "rollingUpdate is not allowed with type: Recreate",
            "remove rollingUpdate, or set type: RollingUpdate",
        )
    elif _is_zero(rolling.get("maxSurge")) and _is_zero(rolling.get("maxUnavailable")):
        message = "maxSurge and maxUnavailable are both 0, so no pod can be replaced"
        yield (_ROLLING, "maxUnavailable"), message, "set maxSurge: 1, or set maxUnavailable: 1"


def _daemon_set_faults(strategy: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    rolling = strategy.get(_ROLLING) or {}
    surge, lost = rolling.get("maxSurge"), rolling.get("maxUnavailable")
    if strategy.get("type") == "OnDelete":  # the API server does not check rollingUpdate then
        return
    if _is_zero(lost) and (surge is None or _is_zero(surge)):
        message = "maxUnavailable is 0 and maxSurge is not set, so no pod can be replaced"
        yield (_ROLLING, "maxUnavailable"), message, "set maxUnavailable: 1, or set maxSurge: 1"
    elif not (surge is None or _is_zero(surge) or _is_zero(lost)):
        message = "maxSurge of a DaemonSet needs maxUnavailable: 0 (the default is 1)"
        yield (_ROLLING, "maxSurge"), message, "set maxUnavailable: 0, or remove maxSurge"


def _is_zero(number: int | str | None) -> bool:
    return number is not None and bool(_ZERO.match(str(number)))


RULE = Rule(
    code="POD032",
    name="invalid-update-strategy",
    severity=Severity.ERROR,
    rejects=True,
    summary="The update strategy of a Deployment or DaemonSet allows no pod to be replaced, or contradicts itself.",
    help="The API server rejects the object.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/apps/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/apps/v1/defaults.go",
    ),
    check=_check,
)
