"""NVIDIADrivers that select the same nodes."""

from collections.abc import Iterator
from itertools import combinations

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r595}
spec: {driverType: gpu, version: "595.91.07"}
---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: gold}
spec: {driverType: gpu, version: "595.91.07", nodeSelector: {contoso.com/driver: gold}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for first, second in combinations(objects.of("nvidia.com", "NVIDIADriver"), 2):
        if _is_default(first) and _is_default(second):
            message = f"NVIDIADriver {first.identity.name} is already the default"
            yield Finding(second, ("spec", "default"), message, "remove default from one of the two")
        elif not _is_default(first) and not _is_default(second) and _within(first, second):
            message = f"NVIDIADriver {first.identity.name} selects the same nodes"
            yield Finding(
                second, ("spec", "nodeSelector"), message, "select different values of the same label in each of them"
            )


def _is_default(item: Item) -> bool:
    return reach(item.body, "spec", "default") is True


def _within(first: Item, second: Item) -> bool:
    """Does one selector match only nodes of the other? An empty selector matches all nodes."""
    labels, other_labels = (dict(reach(item.body, "spec", "nodeSelector") or {}).items() for item in (first, second))
    return labels <= other_labels or other_labels <= labels


RULE = Rule(
    code="STK016",
    name="overlapping-nvidiadrivers",
    severity=Severity.ERROR,
    summary="Two NVIDIADrivers are both the default, or their node selectors match the same nodes.",
    help="The GPU Operator installs one driver on a node. If two NVIDIADrivers match a node, both become NotReady, "
    "and no driver is installed or updated.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/internal/validator/validator.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace(
        'spec: {driverType: gpu, version: "595.91.07"}',
        'spec: {driverType: gpu, version: "595.91.07", nodeSelector: {contoso.com/driver: r595}}',
    ),
    variants=(
        """
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r580}
spec: {driverType: gpu, default: true, version: "580.173.02"}
---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r595}
spec: {driverType: gpu, default: true, version: "595.91.07"}
""",
    ),
)
