"""Shared GPUs, InfiniBand, artifact streaming, kernel and most kubelet settings need Linux nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written, pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import windows_pools

REMEDY = "remove it, or use a Linux pool"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with settings that AKS accepts, or software that exists, only for Linux."""
    kubelet = inputs.catalog.must("pools", "aks")["windowsKubelet"]
    for pool, _ in windows_pools(inputs):
        nodes = with_place("Windows nodes", pool.origin, ("spec", "os"))
        if pool.image.get("artifactStreaming"):
            place = pool_place(pool, "image", "artifactStreaming")
            yield Finding(*place, f"artifact streaming is not available on {nodes}", REMEDY)
        if pool.rdma:
            message = f"InfiniBand software does not run on {nodes}"
            yield Finding(pool.origin, ("spec", "rdma"), message, REMEDY)
        if is_written(pool.origin, ("spec", "partition")):
            yield Finding(pool.origin, ("spec", "partition"), f"GPUs of {nodes} cannot be shared among pods", REMEDY)
        for key in pool.kubelet:
            if key in kubelet:
                continue
            yield Finding(*pool_place(pool, "kubelet", key), f"{key} cannot be set on {nodes}", REMEDY)
        if "linuxOSConfig" in pool.settings:
            yield Finding(*pool_place(pool, "linuxOSConfig"), f"linuxOSConfig cannot be set on {nodes}", REMEDY)


RULE = Rule(
    code="WIN010",
    name="linux-settings-on-windows",
    twin="APL062",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A Windows pool has settings that work on Linux nodes only: partition, rdma, artifact streaming, kubelet.",
    help="Artifact streaming supports amd64 Linux images only. NVIDIA's Network Operator loads a kernel driver, "
    "which exists for Linux distributions only. NVIDIA's device plugin for Linux shares GPUs, and AKS applies MIG on "
    "Linux nodes; the DirectX device plugin of Windows nodes supports neither. Of the kubelet settings, AKS accepts "
    "image garbage collection thresholds and the size and number of container logs.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/artifact-streaming.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/getting-started/02-prerequisites.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/windows-vs-linux-containers.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/custom-node-configuration.md",
    ),
    facts=("pools/aks",),
    check=_check,
    replaces=("WIN003", "WIN008"),
)
