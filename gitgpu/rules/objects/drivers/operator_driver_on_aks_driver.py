"""The GPU Operator's driver on nodes where AKS installs one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import daemons
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for daemon in daemons(objects, "driver"):
        pools = [pool for pool in gpu_pools(objects) if pool.by_aks and reaches(daemon, pool, objects)]
        if pools:
            names = ", ".join(pool.name for pool in pools)
            message = f"the GPU Operator installs a driver on nodes of NodePool {names}, where AKS already installs one"
            remedy = (
                'set gpu.mode: None in their AKSNodeClass, or add the label nvidia.com/gpu.deploy.operands: "false" '
                "to them"
            )
            yield Finding(*daemon.place, message, remedy)


RULE = Rule(
    code="STK006",
    name="operator-driver-on-aks-driver",
    severity=Severity.WARNING,
    summary="The GPU Operator installs its driver on nodes where AKS also installs one.",
    help="The two drivers are mutually exclusive. The GPU Operator's driver pod stops where it finds a driver, "
    "but its container toolkit still rewrites the containerd configuration of AKS.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/02-gpu-drivers.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
    ),
    check=_check,
)
