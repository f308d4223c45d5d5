"""Some settings of an AKS node pool are mutually exclusive."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer

Wrong = tuple[Pointer, str, str]  # the path below agentPool, why AKS rejects it, what to do


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Settings that AKS rejects together with other settings of the same pool."""
    for pool, clusters in node_pools(inputs):
        settings = pool.objects.agent_pool
        faults = [
            *_wrong_with_spot(pool, settings),
            *_wrong_in_system_mode(pool, settings),
            *_wrong_for_os(pool, settings),
        ]
        if any(driver_on(cluster, pool) in BY_AKS for cluster in clusters):
            faults += _wrong_with_gpus(settings)
        for path, why, remedy in faults:
            yield Finding(*pool_place(pool, "agentPool", *path), f"{path[-1]} {why}", remedy)


def _wrong_with_spot(pool: Pool, settings: Mapping[str, Any]) -> Iterator[Wrong]:
    for key in ("spotMaxPrice", "scaleSetEvictionPolicy"):
        if key in settings and not pool.only_spot:
            yield (key,), "applies to spot pools only", "remove it, or set capacity: [spot]"
    for key in ("maxSurge", "maxUnavailable"):
        if key in settings.get("upgradeSettings", {}) and pool.only_spot:
            why = "cannot be set on a spot pool, because AKS has no extra spot nodes for an upgrade"
            yield ("upgradeSettings", key), why, "remove it; from defaults, move it to the pools that are not spot"


def _wrong_in_system_mode(pool: Pool, settings: Mapping[str, Any]) -> Iterator[Wrong]:
    if settings.get("mode") != "System":
        return
    if pool.only_spot:
        yield ("mode",), "System cannot be set on a spot pool", "remove it, or the spot capacity"
    if pool.windows:
        yield ("mode",), "System needs Linux nodes", "remove it"
    # AKS keeps a system pool at one node or more. Without nodes.min, the minimum is 0.
    if not bounds(pool).minimum:
        yield ("mode",), "System needs at least one node", "set nodes.min to 1 or more, or remove it"


def _wrong_for_os(pool: Pool, settings: Mapping[str, Any]) -> Iterator[Wrong]:
    if "windowsProfile" in settings and not pool.windows:
        yield ("windowsProfile",), "applies to Windows nodes only", "remove it"
    if "messageOfTheDay" in settings and pool.windows:
        yield ("messageOfTheDay",), "applies to Linux nodes only", "remove it"
    if "nodePublicIPPrefixID" in settings and not settings.get("enableNodePublicIP"):
        yield ("nodePublicIPPrefixID",), "needs nodes with public IP addresses", "add enableNodePublicIP: true"
    if "podIPAllocationMode" in settings and "podSubnetID" not in settings:
        yield ("podIPAllocationMode",), "needs a separate subnet for pods", "add podSubnetID, or remove it"


def _wrong_with_gpus(settings: Mapping[str, Any]) -> Iterator[Wrong]:
    """With the driver of AKS, `partition.mig` sets the profile."""
    if "gpuInstanceProfile" in settings:
        why = "applies to nodes without the driver of AKS only"
        yield ("gpuInstanceProfile",), why, "remove it, and set partition.mig"


RULE = Rule(
    code="AGP021",
    name="agent-pool-setting-refused",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A setting under agentPool does not fit the other settings of the pool.",
    help="A maximum price and an eviction policy apply to spot VMs only, which have no surge nodes during an upgrade. "
    "System pools run AKS system pods and keep at least one on-demand Linux node. AKS rejects other combinations.",
    sources=(
        "https://github.com/hashicorp/terraform-provider-azurerm/blob/028a6fd9c051e27d08e7d316ea643efb7abe6d07/internal/services/containers/kubernetes_cluster_node_pool_resource.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/spot-node-pool.md",
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
    ),
    check=_check,
)
