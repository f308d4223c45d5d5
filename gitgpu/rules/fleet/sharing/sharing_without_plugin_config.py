"""Time-slicing and MPS need the device plugin that gitgpu configures."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import driver_with_place, installers
from gitgpu.spelling import join_names

METHODS = {"timeSlicing": "time-slicing", "mps": "MPS"}
WITHOUT = {
    ("timeSlicing", "managed"): "AKS manages the device plugin",
    ("mps", "managed"): "AKS manages the device plugin and does not run an MPS daemon",
    ("timeSlicing", "aks-only"): "with driver: aks-only, gitgpu does not install the device plugin",
    ("mps", "aks-only"): "with driver: aks-only, gitgpu does not install the device plugin",
    ("timeSlicing", "none"): "the pool sets driver: none",
    ("mps", "none"): "the pool sets driver: none",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that share GPUs on clusters where gitgpu does not install the device plugin."""
    for pool, clusters in pools_with_clusters(inputs):
        method = pool.sharing.way
        if method not in METHODS:
            continue
        for driver, names in sorted(installers(inputs, pool, clusters).items()):
            if (method, driver) in WITHOUT:
                why = driver_with_place(pool, WITHOUT[method, driver])
                message = f"{METHODS[method]} has no effect on {join_names(names)}, where {why}"
                is_automatic = any(cluster.is_automatic for cluster in clusters)
                remedy = (
                    "remove partition" if is_automatic else "set driver: aks or driver: operator, or remove partition"
                )
                yield Finding(pool.origin, ("spec", "partition", method), message, remedy)


RULE = Rule(
    code="DRV006",
    name="sharing-without-plugin-config",
    twin="SHR008",
    severity=Severity.ERROR,
    summary="A pool uses time-slicing or MPS, but gitgpu does not configure the device plugin on its nodes.",
    help="On managed GPU nodes the device plugin is a systemd unit that cannot be configured from Kubernetes: each "
    "node advertises whole GPUs, and pods that rely on shares stay Pending. MPS also needs a daemon on the node, which "
    "managed nodes do not have. With driver: none or aks-only you install and configure the plugin and the daemon "
    "yourself.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/plugin/mps.go",
    ),
    check=_check,
    replaces=("DRV018",),
)
