"""Two device plugins on the same nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import OTHER_PLUGIN
from gitgpu.objects.software.duplicates import duplicates, pool_names
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    amd_duplicates = duplicates(objects, "amd-device-plugin", maker="amd")
    for first, second, pools in (*duplicates(objects, "device-plugin"), *amd_duplicates):
        message = f"{first.title} also runs a device plugin on {pool_names(pools)}"
        if not pools:
            message = f"{first.title} also installs a device plugin, possibly on the same nodes"
        yield Finding(*second.place, message, "turn one of them off, or select different nodes by a label")
    for first, second, pools in duplicates(objects, "device-plugin", OTHER_PLUGIN):
        where = f" on {pool_names(pools)}" if pools else ", possibly on the same nodes"
        message = f"{first.title} also gives out the GPUs, under a different resource name{where}"
        yield Finding(*second.place, message, "turn one of them off, or select different nodes by a label")


RULE = Rule(
    code="STK001",
    name="duplicate-device-plugins",
    twin="DRV100",
    severity=Severity.WARNING,
    summary="Two device plugins run, or may run, on the same GPU nodes.",
    help="Both register nvidia.com/gpu, or amd.com/gpu, with the kubelet. The kubelet uses the count and health of "
    "the GPUs from the one that registered last. A plugin that uses another resource name, such as that of Volcano, "
    "gives out the same GPUs a second time. Each node needs exactly one: your own DaemonSet or chart, the GPU "
    "Operator of NVIDIA or AMD, the KAITO chart, or HAMi.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/Project-HAMi/HAMi/issues/646",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/README.md",
    ),
    check=_check,
)
