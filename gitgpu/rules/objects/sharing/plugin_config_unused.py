"""Configurations of the device plugin that no node selects."""

from collections.abc import Iterator

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import PLUGIN, effective_value
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import Choice, choices
from gitgpu.rules.object_rule import Finding, Rule

_REMEDY = f"set the default configuration, or add the label {DEVICE_PLUGIN_CONFIG_LABEL} to the template of a NodePool"


def _check(objects: Objects) -> Iterator[Finding]:
    all_choices = list(choices(objects))
    if not all_choices:
        return
    pools = [pool for pool in gpu_pools(objects) if pool.maker == "nvidia"]
    # With one labelled pool, the others may be omitted on purpose.
    if not pools or any(pool.label(DEVICE_PLUGIN_CONFIG_LABEL) for pool in pools):
        return
    for choice in all_choices:
        if not choice.default and not _falls_back(choice, objects):
            doubt = "" if objects.closed else "; nodes outside these files may select one"
            message = f"no configuration of the device plugin is the default, and no NodePool selects one{doubt}"
            yield Finding(choice.item, choice.pointer, message, _REMEDY)


def _falls_back(choice: Choice, objects: Objects) -> bool:
    """Whether the chart selects a default itself. Only the chart of the device plugin does, not the GPU Operator."""
    if choice.release is None or choice.release.chart != PLUGIN:
        return False
    strategies = list_at(effective_value(choice.release, objects, "config", "fallbackStrategies"))
    return (len(choice.names) == 1 and "single" in strategies) or ("default" in choice.names and "named" in strategies)


RULE = Rule(
    code="SHR007",
    name="plugin-config-unused",
    severity=Severity.WARNING,
    summary="Configurations of the device plugin have no default, and no NodePool selects one with a label.",
    help="The GPU Operator then runs the device plugin without a configuration, so nothing is shared. With the chart "
    "of the device plugin, its pods fail on every node without the label.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-sharing.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/config-manager/main.go",
    ),
    check=_check,
)
