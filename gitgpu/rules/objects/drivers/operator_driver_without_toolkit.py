"""A GPU Operator that installs the driver without the container toolkit."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import effective_value, operators
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    pools = [pool for pool in gpu_pools(objects) if pool.maker == "nvidia"]
    # Where AKS installs the driver, it installs the container runtime too.
    if not pools or any(pool.mode != "None" for pool in pools):
        return
    for release in operators(objects):
        driver, toolkit = (effective_value(release, objects, part, "enabled") for part in ("driver", "toolkit"))
        nri = effective_value(release, objects, "cdi", "nriPluginEnabled")
        # STK019 reports the NRI plugin without the toolkit.
        if release.whole and driver is True and toolkit is False and not nri:
            message = (
                f"the GPU Operator installs the driver, but the nodes of {pools[0].name} get no container runtime "
                "for GPUs"
            )
            remedy = "set toolkit.enabled: true, or leave the driver to AKS and set driver.enabled: false"
            yield Finding(*release.locate("toolkit", "enabled"), message, remedy)


RULE = Rule(
    code="STK038",
    name="operator-driver-without-toolkit",
    severity=Severity.WARNING,
    summary="The GPU Operator installs the driver, but its container toolkit is off.",
    help="Where AKS installs no driver, its nodes have no container runtime for GPUs. The validator and the device "
    "plugin of the GPU Operator then wait for one, and the nodes advertise no GPU.",
    sources=(
        "https://github.com/NVIDIA/aicr/pull/1680",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/microsoft-aks.rst",
    ),
    check=_check,
)
