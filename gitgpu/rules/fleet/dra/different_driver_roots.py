"""The DRA driver expects the GPU driver in the same directory on all nodes of a cluster."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import driver_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose pools with claimed GPUs have different drivers."""
    for cluster in inputs.clusters:
        owners: dict[str, Pool] = {}
        for pool in inputs.pools_on(cluster):
            if is_claimed(cluster, pool):
                owners.setdefault(driver_on(cluster, pool), pool)
        if len(owners) > 1:
            shown = " and ".join(_driver_of(cluster, *owner) for owner in sorted(owners.items()))
            message = f"{cluster.name} has {shown}, but the DRA driver supports one driver directory"
            place = stack_place(cluster, "allocation")
            yield Finding(*place, message, "set the same driver on these pools, or use two clusters")


def _driver_of(cluster: Cluster, owner: str, pool: Pool) -> str:
    return with_place(f"driver: {owner} on pool {pool.name}", *driver_place(cluster, pool))


RULE = Rule(
    code="DRA006",
    name="different-driver-roots",
    severity=Severity.ERROR,
    summary="Pools with claimed GPUs on one cluster have different drivers.",
    help="NVIDIA's DRA driver is installed once, because its DeviceClasses exist once, and has one nvidiaDriverRoot: "
    "/ where AKS installs the driver, or a directory of the GPU Operator. With the wrong one its pods never become "
    "ready.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/values.yaml",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/install.md",
    ),
    check=_check,
)
