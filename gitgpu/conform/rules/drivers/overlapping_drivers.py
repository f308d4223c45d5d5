"""NVIDIADrivers that select the same nodes."""

from collections.abc import Iterator
from itertools import combinations

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for first, second in combinations(objects.of("nvidia.com", "NVIDIADriver"), 2):
        if _default(first) and _default(second):
            message = f"NVIDIADriver {first.identity.name} is the default already"
            yield Finding(second, ("spec", "default"), message, "keep default: true on one of them")
        elif not _default(first) and not _default(second) and _within(first, second):
            message = f"NVIDIADriver {first.identity.name} selects the same nodes"
            yield Finding(second, ("spec", "nodeSelector"), message, "give each selector another value of one label")


def _default(item: Item) -> bool:
    return reach(item.body, "spec", "default") is True


def _within(first: Item, second: Item) -> bool:
    """Does one selector take nodes of the other's only? One that is empty takes them all."""
    one, other = (dict(reach(item.body, "spec", "nodeSelector") or {}).items() for item in (first, second))
    return one <= other or other <= one


RULE = Rule(
    code="STK016",
    name="overlapping-drivers",
    severity=Severity.ERROR,
    summary="Two NVIDIADrivers are both the default, or their node selectors take the same nodes.",
    help=(
        "The operator puts one driver on a node. Where two claim it, both objects become NotReady and no "
        "driver is installed or updated."
    ),
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/internal/validator/validator.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    check=_check,
    bad="""
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r595}
spec: {driverType: gpu, version: "595.91.07"}
---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: gold}
spec: {driverType: gpu, version: "595.91.07", nodeSelector: {contoso.com/driver: gold}}
""",
    good="""
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r595}
spec: {driverType: gpu, version: "595.91.07", nodeSelector: {contoso.com/driver: r595}}
---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: gold}
spec: {driverType: gpu, version: "595.91.07", nodeSelector: {contoso.com/driver: gold}}
""",
)
