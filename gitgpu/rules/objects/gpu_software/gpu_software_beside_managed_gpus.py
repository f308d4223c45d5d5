"""GPU software on nodes where AKS manages all of it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.beside_aks import beside_aks
from gitgpu.objects.software.daemons import OTHER_PLUGIN
from gitgpu.rules.object_rule import Finding, Rule

# What each part is, and what AKS has instead.
_PARTS = {
    "device-plugin": ("a device plugin", "its own"),
    OTHER_PLUGIN: ("a device plugin", "its own"),
    "dra-gpus": ("a DRA driver", "a device plugin"),
    "dcgm-exporter": ("a DCGM exporter", "its own"),
}


def _check(objects: Objects) -> Iterator[Finding]:
    for daemon, pool, cause in beside_aks(objects, *_PARTS):
        part, aks_part = _PARTS[daemon.provides]
        message = f"{daemon.title} runs {part} on {pool}, where AKS runs {aks_part} because of {cause}"
        remedy = f"keep {daemon.title} off these nodes, or do not let AKS manage their GPUs"
        yield Finding(*daemon.place, message, remedy)


RULE = Rule(
    code="STK101",
    name="gpu-software-beside-managed-gpus",
    twin="DRV106",
    severity=Severity.ERROR,
    summary="A device plugin, a DRA driver or a DCGM exporter runs on nodes whose GPU software AKS manages.",
    help="On these nodes AKS runs a device plugin and a DCGM exporter as services, without pods. The kubelet uses the "
    "count and health of the GPUs from the plugin that registered last, and a DRA driver allocates GPUs that a plugin "
    "has given to other pods. Two exporters double every sum over GPUs and compete for profiling counters: scrape that "
    "of AKS on port 19400 instead.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/manifests/state-dra-driver/0500_daemonset.yaml",
        "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
    ),
    check=_check,
)
