"""A GPU pool on which no device plugin runs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import chooses, has_label, is_repelled, obstacle, reaches
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.software.tolerating import tolerate
from gitgpu.rules.object_rule import Finding, Rule

_NO_DRIVER = "None"  # gpu.mode


def _check(objects: Objects) -> Iterator[Finding]:
    owners = list(daemons(objects, "device-plugin", "dra-gpus"))
    if not owners:  # without any device plugin, it is installed from elsewhere
        return
    for pool in gpu_pools(objects):
        if (
            pool.maker != "nvidia"
            # AKS runs a device plugin on managed nodes.
            or pool.managed
            or pool.is_of_other_owner
            # None: it is unknown whether the daemon runs on these nodes.
            or any(reaches(daemon, pool, objects) is not False for daemon in owners)
        ):
            continue
        meant = next((daemon for daemon in owners if _is_meant(daemon, pool, objects)), None)
        if meant:
            yield _finding(meant, pool, objects)


def _is_meant(owner: Daemon, pool: GpuPool, objects: Objects) -> bool:
    """Whether the daemon is meant for this pool too. Other daemons may be outside these files.

    With gpu.mode: None, whatever installs the driver can also install the device plugin.
    """
    if objects.closed and pool.mode != _NO_DRIVER:
        return True
    is_chosen = owner.everywhere or (owner.pod is not None and chooses(owner.pod, pool, objects) is True)
    here = is_chosen and not is_repelled(owner, pool)
    return here and (pool.mode != _NO_DRIVER or _gets_labels(owner, pool, objects))


def _gets_labels(owner: Daemon, pool: GpuPool, objects: Objects) -> bool:
    """Whether Node Feature Discovery runs on these nodes, apart from taints, if the daemon needs its labels."""
    workers = list(daemons(objects, "feature-discovery")) if owner.awaits else []
    return not workers or any(not daemon.pod or chooses(daemon.pod, pool, objects) is not False for daemon in workers)


def _finding(owner: Daemon, pool: GpuPool, objects: Objects) -> Finding:
    why = obstacle(owner, pool, objects)
    place = ("spec", "template", "spec", "taints" if "taint" in why else "nodeClassRef")
    message = f"no device plugin runs on the nodes of NodePool {pool.name}: {owner.title} is installed, but {why}"
    return Finding(pool.pool.item, place, message, _remedy(owner, pool, objects))


def _remedy(owner: Daemon, pool: GpuPool, objects: Objects) -> str:
    label = next((key for key, value in owner.opt_out.items() if has_label(pool, key, value)), "")
    if label:
        return f"remove the label {label} from the template of the NodePool"
    workers = daemons(objects, "feature-discovery") if owner.awaits else ()
    steps = tolerate((owner, *workers), pool.pool.taints, objects)
    return steps or f"configure {owner.title} to tolerate and select the nodes of this NodePool"


RULE = Rule(
    code="STK004",
    name="pool-without-device-plugin",
    severity=Severity.ERROR,
    summary="The installed device plugin does not run on the nodes of a GPU NodePool.",
    help="Without it the kubelet never advertises nvidia.com/gpu, pods that request GPUs stay Pending, and Karpenter "
    "waits for a node that is never initialized. By default, the charts and the Node Feature Discovery workers that "
    "the GPU Operator needs tolerate only the taint nvidia.com/gpu. The annotation gitgpu.dev/driver: aks-only in the "
    "metadata of a NodePool says that software outside the files advertises its GPUs.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/values.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
