"""A MIG layout without a MIG manager."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.software.mig_layouts import chosen_layout
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    all_operators = list(operators(objects))
    plugged = any(daemons(objects, "device-plugin"))
    off = all_operators and all(_is_manager_off(operator, objects) for operator in all_operators)
    # Without a device plugin in these files, all of the GPU software may be outside them.
    if not off and (all_operators or not plugged):
        return
    for pool in gpu_pools(objects):
        if chosen_layout(pool):
            why = "the GPU Operator's MIG manager is off" if off else "the GPU Operator is not installed"
            message = f"nothing applies this MIG layout: {why}"
            doubt = "" if off or objects.closed else ", unless it is outside these files"
            remedy = "set migManager.enabled: true" if off else "install the GPU Operator, or remove the label"
            yield Finding(pool.pool.item, (*LABELS, MIG_CONFIG_LABEL), message + doubt, remedy)


def _is_manager_off(operator: Release, objects: Objects) -> bool:
    return operator.whole and effective_value(operator, objects, "migManager", "enabled") is False


RULE = Rule(
    code="SHR016",
    name="mig-without-mig-manager",
    twin="PRT005",
    severity=Severity.WARNING,
    summary="A NodePool selects a MIG layout, but no MIG manager applies it.",
    help="Only the GPU Operator's MIG manager reads this label. A device plugin only advertises the instances "
    "that exist, so the GPUs are not partitioned.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
