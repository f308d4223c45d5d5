"""Sysctls that contradict each other: a default above its maximum, a port range that runs backwards."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

PLACE: Pointer = ("spec", "linuxOSConfig", "sysctls")
RISING = (  # a sysctl must not be above the next in its row
    ("netCoreRmemDefault", "netCoreRmemMax"),
    ("netCoreWmemDefault", "netCoreWmemMax"),
    ("netIPv4NeighDefaultGcThresh1", "netIPv4NeighDefaultGcThresh2", "netIPv4NeighDefaultGcThresh3"),
)
PORTS, FIRST, LAST = "netIPv4IPLocalPortRange", (1024, 60999), (32768, 65535)  # the bounds of the field


def _check(objects: Objects) -> Iterator[Finding]:
    for item, _ in node_classes(objects):
        sysctls = reach(item.body, *PLACE) or {}
        for key, message, remedy in (*_crossed(sysctls), *_ports(sysctls.get(PORTS))):
            yield Finding(item, (*PLACE, key), message, remedy)


def _crossed(sysctls: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for keys in RISING:
        for lower, upper in pairwise(keys):
            low, high = sysctls.get(lower), sysctls.get(upper)
            if low is not None and high is not None and low > high:
                yield lower, f"{lower} {low} is greater than {upper} {high}", f"use {high} or less"


def _ports(written: str | None) -> Iterator[tuple[str, str, str]]:
    """The faults of a range of local ports, which its pattern limits to two numbers."""
    if not written:
        return
    first, last = (int(number) for number in written.split(" "))
    for number, which, (low, high) in ((first, "first", FIRST), (last, "last", LAST)):
        if not low <= number <= high:
            yield (
                PORTS,
                f"the {which} local port {number} is not in the range {low} to {high}",
                f"use a {which} port from {low} to {high}",
            )
    if first > last:
        yield PORTS, f"the first local port {first} is greater than the last {last}", "put the lower port first"


RULE = Rule(
    code="ANC004",
    name="conflicting-sysctls",
    severity=Severity.ERROR,
    rejects=True,
    summary="Sysctls of an AKSNodeClass contradict each other, or its range of local ports is not valid.",
    help="A default must not be greater than its maximum, a threshold not greater than the next, the first port not "
    "greater than the last. The API server rejects the AKSNodeClass.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://learn.microsoft.com/azure/aks/custom-node-configuration",
    ),
    check=_check,
)
