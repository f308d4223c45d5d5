"""A DRA driver for GPUs on nodes with a device plugin."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.duplicates import duplicates, pool_names
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for first, second, pools in duplicates(objects, "dra-gpus", "device-plugin"):
        claims, plugin = (first, second) if first.provides == "dra-gpus" else (second, first)
        message = f"the device plugin of {plugin.title} allocates the same GPUs on {pool_names(pools)}"
        if not pools:
            message = f"{plugin.title} installs a device plugin, possibly on the same nodes"
        yield Finding(*claims.place, message, "select different nodes for each, or turn one of them off")


RULE = Rule(
    code="STK031",
    name="dra-driver-beside-device-plugin",
    severity=Severity.WARNING,
    summary="The NVIDIA DRA driver allocates whole GPUs on nodes where a device plugin does, or may do, the same "
    "thing.",
    help="Neither of them knows what the other has allocated, so two pods can get the same GPU.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/templates/validation.yaml",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
)
