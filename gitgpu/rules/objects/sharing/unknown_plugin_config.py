"""A node label that selects an unknown configuration."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import choices
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of


def _check(objects: Objects) -> Iterator[Finding]:
    every_choice = list(choices(objects))
    if not every_choice:
        return
    names = sorted(set(chain.from_iterable(choice.names for choice in every_choice)))
    for pool in gpu_pools(objects):
        config_name = pool.pool.labels.get(DEVICE_PLUGIN_CONFIG_LABEL)
        if config_name and config_name not in names and not pool.managed:  # SHR008 reports managed pools
            message = f"unknown configuration '{config_name}' of the device plugin"
            yield Finding(pool.pool.item, (*LABELS, DEVICE_PLUGIN_CONFIG_LABEL), message, f"use {one_of(names)}")
    for choice in every_choice:
        if choice.default and choice.default not in choice.names:
            message = f"unknown default configuration '{choice.default}' of the device plugin"
            remedy = f"use {one_of(sorted(choice.names))}"
            place = (*choice.pointer, "default") if choice.release else choice.pointer
            yield Finding(choice.item, place, message, remedy)


RULE = Rule(
    code="SHR006",
    name="unknown-plugin-config",
    severity=Severity.ERROR,
    summary="A NodePool, or the default, selects a configuration of the device plugin that does not exist.",
    help="A sidecar of the device plugin looks up the name in the ConfigMap, and exits with an error if it does not "
    "exist. The pods of the plugin never become ready on these nodes, and nvidia.com/gpu is not advertised.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/config-manager/main.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)
