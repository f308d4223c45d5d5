"""A MIG layout with several profiles and the single MIG strategy."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import Layout, chosen_layout, layouts
from gitgpu.rules.object_rule import Finding, Rule

_BALANCED = "all-balanced"  # a default layout of the MIG manager, with three profiles


def _check(objects: Objects) -> Iterator[Finding]:
    every_operator = list(operators(objects))
    # Without the operator, the device plugin may have another strategy.
    if not every_operator or not all(_is_single(operator, objects) for operator in every_operator):
        return
    mixed = {_BALANCED, *(layout.name for layout in layouts(objects) if _is_mixed(layout))}
    for pool in gpu_pools(objects):
        layout = chosen_layout(pool)
        if layout in mixed:
            message = f"the MIG layout {layout} has several profiles, but mig.strategy is single"
            remedy = "set mig.strategy: mixed and request nvidia.com/mig-* in pods, or use a layout with one profile"
            yield Finding(pool.pool.item, (*LABELS, MIG_CONFIG_LABEL), message, remedy)


def _is_single(operator: Release, objects: Objects) -> bool:
    return operator.whole and effective_value(operator, objects, "mig", "strategy") == "single"


def _is_mixed(layout: Layout) -> bool:
    return any(len(group) > 1 for group in layout.groups)


RULE = Rule(
    code="SHR015",
    name="single-strategy-with-several-profiles",
    twin="PRT003",
    severity=Severity.ERROR,
    summary="A NodePool selects a MIG layout with several profiles, but the MIG strategy of the GPU Operator is "
    "single.",
    help="With single, all GPUs of the node must have the same profile, and the instances are advertised as "
    "nvidia.com/gpu. The device plugin rejects anything else, so the node advertises no GPU.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/rm/device_map.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
    ),
    check=_check,
)
