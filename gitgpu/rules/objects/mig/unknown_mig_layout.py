"""A MIG layout that is not defined."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import chart_row, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import OFF, chosen_layout, custom, layouts, profile_of
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of


def _check(objects: Objects) -> Iterator[Finding]:
    every_operator = list(operators(objects))
    if not every_operator or not all(_readable(operator, objects) for operator in every_operator):
        return
    is_custom = any(map(custom, every_operator))
    names = set(chart_row(every_operator[0], objects)["layouts"])
    if is_custom:
        names = {layout.name for layout in layouts(objects)}
    known = f"use {one_of(sorted(names))}, or " if names else ""
    for pool in gpu_pools(objects):
        layout = chosen_layout(pool)
        # Without a custom configuration, the MIG manager creates a layout for each profile.
        if layout and layout not in names and (is_custom or not profile_of(layout)):
            message = f"unknown MIG layout '{layout}'"
            remedy = f"{known}add the layout to the configuration of the MIG manager"
            yield Finding(pool.pool.item, (*LABELS, MIG_CONFIG_LABEL), message, remedy)
    for operator in every_operator:
        layout = operator.value("migManager", "config", "default")
        # SHR060 reports layouts without all-disabled, the chart's default.
        if is_custom and isinstance(layout, str) and layout and layout != OFF and layout not in names:
            message = f"unknown default MIG layout '{layout}'"
            place = operator.locate("migManager", "config", "default")
            yield Finding(*place, message, f"{known}add the layout to the configuration")


def _readable(release: Release, objects: Objects) -> bool:
    """Whether the layouts of an operator are known: the default ones, or custom ones among the objects."""
    if not release.whole:
        return False
    name, data = (release.value("migManager", "config", key) for key in ("name", "data"))
    # A ConfigMap in other files has layouts that are unknown here.
    here = any(item.identity.name == name for item in objects.of(*CONFIG_MAP))
    return not name or here or bool(mapping_at(data))


RULE = Rule(
    code="SHR011",
    name="unknown-mig-layout",
    severity=Severity.ERROR,
    summary="A NodePool, or the default, selects a MIG layout that the MIG manager does not know.",
    help="The MIG manager creates a layout for each profile. A custom ConfigMap replaces them all, so only its names "
    "can be used. With any other name, the state of the node becomes failed.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
    ),
    check=_check,
)
