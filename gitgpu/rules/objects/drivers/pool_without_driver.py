"""GPU nodes on which nothing installs a driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule

_REMEDY = "remove gpu.mode, so that AKS installs the driver, or let the GPU Operator install it"


def _check(objects: Objects) -> Iterator[Finding]:
    installed = list(operators(objects))
    # The operator of an NVIDIADriver may be outside these files.
    elsewhere = not installed and any(objects.of(*NVIDIA_DRIVER))
    if elsewhere or not all(daemon.whole for daemon in installed):
        return
    others = "nothing else installs one" if objects.closed else "something outside these files may install one"
    for pool in gpu_pools(objects):
        if pool.node_class and pool.maker == "nvidia" and pool.mode == "None" and not _installed(pool, objects):
            plugin = next(_plugins(pool, objects), None)
            if plugin:
                message = (
                    f"AKS does not install a driver on NodePool {pool.name}, where the device plugin of {plugin.title} "
                    f"runs; {others}"
                )
                yield Finding(pool.node_class, ("spec", "gpu", "mode"), message, _REMEDY)


def _plugins(pool: GpuPool, objects: Objects) -> Iterator[Daemon]:
    return (daemon for daemon in daemons(objects, "device-plugin") if reaches(daemon, pool, objects))


def _installed(pool: GpuPool, objects: Objects) -> bool:
    installers = objects.once("DaemonSets that may install a driver", lambda: _own_installers(objects))
    # None: it is unknown whether the DaemonSet runs on these nodes.
    return any(reaches(daemon, pool, objects) is not False for daemon in (*daemons(objects, "driver"), *installers))


def _own_installers(objects: Objects) -> list[Daemon]:
    # Any DaemonSet with this word in its name, image or commands may install a driver.
    named_pods = (pod for pod in pods(objects) if pod.is_daemon and "driver" in _description(pod))
    return [Daemon("driver", "", pod.item, (pod.item, ()), pod) for pod in named_pods]


def _description(pod: Pod) -> str:
    return f"{pod.item.identity.name} {pod.spec.get('containers')}"


RULE = Rule(
    code="STK005",
    name="pool-without-driver",
    severity=Severity.WARNING,
    summary="A node class turns off the AKS GPU driver, and a device plugin runs on its nodes although nothing "
    "installs a driver.",
    help="With gpu.mode: None, AKS installs no driver. The device plugin finds no GPU, and nvidia.com/gpu stays 0. "
    "The GPU Operator, or your own DaemonSet, must install the driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    check=_check,
)
