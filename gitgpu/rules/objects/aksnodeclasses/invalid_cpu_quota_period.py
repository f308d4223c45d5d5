"""A CPU quota period that the kubelet rejects."""

import re
from collections.abc import Iterator
from decimal import Decimal

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

PLACE = ("spec", "kubelet", "cpuCFSQuotaPeriod")
# Milliseconds of each unit of a Go duration; Go accepts both spellings of the micro sign.
UNITS = {
    "ns": "1e-6",
    "us": "1e-3",
    "\u00b5s": "1e-3",
    "\u03bcs": "1e-3",
    "ms": "1",
    "s": "1e3",
    "m": "6e4",
    "h": "36e5",
}
# A number and a unit of a Go duration; both letters for micro are allowed.
PART = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    bounds = objects.catalog.must("kubelets", "aks")["quotaPeriodMs"]
    for item, _ in node_classes(objects):
        written = reach(item.body, *PLACE)
        if written is None:
            continue
        period = _milliseconds(written)
        if period is None:
            message = f"{written!r} is not a duration: Karpenter cannot read the AKSNodeClass"
            yield Finding(item, PLACE, message, "use a number and its unit, such as 100ms")
        elif period and not bounds["least"] <= period <= bounds["most"]:  # Karpenter omits a period of 0
            message = f"the kubelet rejects a CPU quota period of {written}"
            yield Finding(item, PLACE, message, f"use {bounds['most']}ms or less, and at least {bounds['least']}ms")


def _milliseconds(text: str) -> Decimal | None:
    """A duration in milliseconds as Go reads it; None if Go cannot read it. 0 needs no unit."""
    number = text.removeprefix("-" if text.startswith("-") else "+")
    if number == "0":
        return Decimal(0)
    parts = PART.findall(number)
    if not parts or "".join(f"{amount}{unit}" for amount, unit in parts) != number:
        return None
    total = sum((Decimal(amount) * Decimal(UNITS[unit]) for amount, unit in parts), Decimal(0))
    return -total if text.startswith("-") else total


RULE = Rule(
    code="ANC008",
    name="invalid-cpu-quota-period",
    severity=Severity.ERROR,
    never_ready=True,
    summary="The CPU quota period of an AKSNodeClass is not a duration, or not between 1 ms and 1 s.",
    help="The API server accepts any string. Karpenter cannot read an AKSNodeClass whose value is not a duration, and "
    "a kubelet with a value out of bounds does not start.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
        "https://github.com/kubernetes/kubernetes/blob/0ea83df1135d2477e564f66f5a78d82a7b8633df/pkg/kubelet/apis/config/validation/validation.go",
    ),
    facts=("kubelets/aks",),
    check=_check,
)
