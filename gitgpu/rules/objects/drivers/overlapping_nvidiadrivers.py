"""NVIDIADrivers that select the same nodes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.objects.indexes import group_by
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule

_Label: TypeAlias = tuple[str, str]
_NO_LABEL = ("", "")  # stands for the labels of an empty selector, which matches all nodes


def _check(objects: Objects) -> Iterator[Finding]:
    """Reports each NVIDIADriver once, with the first one that has the same nodes: 100 of them have 4,950 pairs."""
    for drivers in group_by(objects.of(*NVIDIA_DRIVER), objects.application_key).values():
        default = [driver for driver in drivers if _is_default(driver)]
        for second in default[1:]:
            message = f"NVIDIADriver {default[0].identity.name} is already the default"
            yield Finding(second, ("spec", "default"), message, "remove default from one of the two")
        yield from _overlapping([driver for driver in drivers if not _is_default(driver)])


def _overlapping(drivers: Sequence[Item]) -> Iterator[Finding]:
    earlier: dict[_Label, list[Item]] = {}  # by each of their labels
    for second in drivers:
        labels = _labels(second)
        # Without labels, it selects the nodes of any other.
        candidates: Iterable[Item] = drivers[:1]
        if labels:
            candidates = chain.from_iterable(earlier.get(label, ()) for label in (*sorted(labels), _NO_LABEL))
        first = next((driver for driver in candidates if driver is not second and _within(driver, second)), None)
        if first:
            message = f"NVIDIADriver {first.identity.name} selects the same nodes"
            yield Finding(
                second, ("spec", "nodeSelector"), message, "select different values of the same label in each of them"
            )
        for label in labels or (_NO_LABEL,):
            earlier.setdefault(label, []).append(second)


def _within(first: Item, second: Item) -> bool:
    """Whether the first selector matches only nodes of the other. An empty selector matches all nodes."""
    labels, other_labels = _labels(first), _labels(second)
    return labels <= other_labels or other_labels <= labels


def _labels(item: Item) -> frozenset[_Label]:
    return frozenset((reach(item.body, "spec", "nodeSelector") or {}).items())


def _is_default(item: Item) -> bool:
    return reach(item.body, "spec", "default") is True


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
)
