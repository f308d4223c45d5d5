"""Who installs the driver of a pool, and what that means for how pods get its GPUs."""

from collections.abc import Mapping

from gitgpu.model.fleet import Cluster, Pool

AKS_DRA = "aks-dra"  # AKS installs the DRA driver, and no device plugin
AKS_ONLY = "aks-only"  # AKS installs the driver, and another owner advertises and measures the GPUs
BY_AKS = ("aks", AKS_ONLY, "managed")  # the values of `driver` with which AKS installs the driver
MANAGED_TAG = "EnableManagedGPUExperience"  # with this tag, AKS manages all GPU software of a node
CLAIMABLE = ("aks", "operator")  # the values of `driver` with which gitgpu chooses what advertises the GPUs
# The values of `driver` with which pods claim GPUs, by `allocation`: the DRA driver is gitgpu's, or that of AKS.
_CLAIMED: Mapping[str, tuple[str, ...]] = {"dra": CLAIMABLE, AKS_DRA: ("managed",)}


def driver_on(cluster: Cluster, pool: Pool) -> str:
    """What installs the driver of a pool on a cluster: the setting of the pool, else of the cluster's stack."""
    return pool.driver or cluster.stack.driver


def opts_out(driver: str) -> bool:
    """Whether a GPU Operator must stay away. With `aks-only`, it may be the owner that advertises the GPUs."""
    return driver in BY_AKS and driver != AKS_ONLY


def has_our_plugin(cluster: Cluster, pool: Pool) -> bool:
    """Whether gitgpu installs NVIDIA's device plugin: if AKS installs only the driver, and pods request no claims."""
    return driver_on(cluster, pool) == "aks" and not pool.windows and not is_claimed(cluster, pool)


def is_claimed(cluster: Cluster, pool: Pool) -> bool:
    """Whether pods get the pool's GPUs by ResourceClaim.

    This needs NVIDIA GPUs, and a DRA driver that gitgpu or, on its own node pools, AKS installs.
    """
    nvidia = not pool.windows and all(sku.manufacturer == "nvidia" for sku in pool.skus)
    allocation = cluster.stack.allocation
    elsewhere = allocation == AKS_DRA and pool.by_karpenter
    return nvidia and not elsewhere and driver_on(cluster, pool) in _CLAIMED.get(allocation, ())
