"""A GPU Operator whose nodes have several operating systems."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import operating_system, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for _, pools, by_objects in operator_drivers(objects):
        by_pool = {pool.name: operating_system(pool, objects) for pool in pools}
        systems = sorted({os_name for os_name in by_pool.values() if os_name})
        if len(systems) > 1 and not by_objects:
            odd = next(pool for pool in pools if by_pool[pool.name] == systems[-1])
            place = ("spec", "template", "spec", "nodeClassRef")
            message = (
                f"the GPU Operator installs one driver for {systems[-1]} on this NodePool and {systems[0]} on others"
            )
            remedy = "use one image family for its pools, or one NVIDIADriver object for each operating system"
            yield Finding(odd.pool.item, place, message, remedy)


RULE = Rule(
    code="STK009",
    name="operator-on-several-os",
    twin="DRV009",
    severity=Severity.WARNING,
    summary="The nodes on which one GPU Operator installs its driver have several operating systems.",
    help="With a ClusterPolicy, the driver supports one operating system at a time. With NVIDIADriver objects, each "
    "kind of node can have its own driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    facts=("images/*",),
    check=_check,
)
