"""A GPU Operator that leaves the driver to AKS but keeps its own container runtime."""

from collections.abc import Iterator
from itertools import product

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row, effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import daemons
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in operators(objects):
        if effective_value(release, objects, "driver", "enabled") is False and _runs_on_aks_driver(release, objects):
            yield from _runtime_findings(release, objects)


def _runs_on_aks_driver(release: Release, objects: Objects) -> bool:
    # An operator that runs on none of these nodes may be for other nodes.
    operator_daemons = [
        daemon for daemon in daemons(objects, "device-plugin", "dcgm-exporter") if daemon.item is release.item
    ]
    pools = [pool for pool in gpu_pools(objects) if pool.by_aks]
    return any(reaches(daemon, pool, objects) for daemon, pool in product(operator_daemons, pools))


def _runtime_findings(release: Release, objects: Objects) -> Iterator[Finding]:
    if effective_value(release, objects, "toolkit", "enabled") is True:
        message = (
            "AKS installs the driver, but the GPU Operator's container toolkit still rewrites the containerd "
            "configuration"
        )
        place = release.locate("toolkit", "enabled")
        yield Finding(*place, message, "set toolkit.enabled: false")
    runtime = effective_value(release, objects, "operator", "runtimeClass")
    runtime_class = chart_row(release, objects)["hostRuntimeClass"]
    if runtime and runtime != runtime_class:
        message = f"AKS installs the driver, but the GPU Operator's pods use the runtime class '{runtime}'"
        place = release.locate("operator", "runtimeClass")
        yield Finding(*place, message, f"set operator.runtimeClass: {runtime_class}")


RULE = Rule(
    code="STK007",
    name="operator-toolkit-on-aks-driver",
    severity=Severity.WARNING,
    summary="The GPU Operator leaves the driver to AKS but still sets up its own container runtime.",
    help="For nodes on which AKS installs the driver, the NVIDIA documentation sets driver.enabled and "
    "toolkit.enabled to false, and operator.runtimeClass to the runtime that AKS configures. The changes that the "
    "toolkit makes to the containerd configuration remain when the operator is removed.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/microsoft-aks.rst",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/02-gpu-drivers.md",
    ),
    check=_check,
)
