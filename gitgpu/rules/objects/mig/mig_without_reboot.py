"""A change of MIG mode that needs a reboot which does not happen."""

from collections.abc import Iterator

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import chosen_layout
from gitgpu.rules.object_rule import Finding, Rule

_NAME = "WITH_REBOOT"  # an environment variable of the MIG manager


def _check(objects: Objects) -> Iterator[Finding]:
    # Files for several clusters can contain NodePools with the same name.
    pools = dict.fromkeys(pool.name for pool in gpu_pools(objects) if chosen_layout(pool) and _needs_reboot(pool))
    if not pools:
        return
    for release in operators(objects):
        if release.whole and not _reboots_nodes(release):
            message = (
                f"GPUs of NodePool {', '.join(pools)} need a reboot to change the MIG mode, but {_NAME} is not true"
            )
            remedy = f'add {{name: {_NAME}, value: "true"}} to migManager.env'
            yield Finding(*release.locate("migManager", "env"), message, remedy)


def _needs_reboot(pool: GpuPool) -> bool:
    # One such size is enough: Karpenter may choose it.
    return any(sku.gpu and sku.gpu.reboot for sku in pool.skus)


def _reboots_nodes(release: Release) -> bool:
    env = (mapping_at(variable) for variable in list_at(release.value("migManager", "env")))
    return any(variable.get("name") == _NAME and str(variable.get("value")).lower() == "true" for variable in env)


RULE = Rule(
    code="SHR014",
    name="mig-without-reboot",
    severity=Severity.WARNING,
    summary="A NodePool selects a MIG layout on GPUs that need a reboot, but the MIG manager does not reboot nodes.",
    help="In a virtual machine, the GPU cannot be reset on its own. Without WITH_REBOOT, the MIG manager turns MIG "
    "mode on, finds that it is still pending, and never applies the layout.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html",
    ),
    check=_check,
)
