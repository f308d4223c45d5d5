"""The GPU Operator's chart names its own NVIDIADriver default."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import has_fallback_driver, separates_rdma_drivers
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters

TAKEN = "default"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with an NVIDIADriver of their own that has the name of the one in the chart."""
    for pool, clusters in pools_with_clusters(inputs):
        shared = any(has_fallback_driver(inputs.catalog_for(cluster)) for cluster in clusters)
        has_own = pool.branch or any(_is_separate(pool, cluster, inputs) for cluster in clusters)
        if has_own and pool.name == TAKEN and shared:
            message = f"the NVIDIADriver of pool {TAKEN} would overwrite the GPU Operator's default"
            yield Finding(pool.origin, ("metadata", "name"), message, "rename the pool")


def _is_separate(pool: Pool, cluster: Cluster, inputs: Inputs) -> bool:
    """Whether the pool has a driver of its own for its InfiniBand NICs."""
    by_operator = driver_on(cluster, pool) == "operator" and pool.manufacturer == "nvidia"
    has_nics = by_operator and pool.uses_network_operator
    return has_nics and separates_rdma_drivers(cluster, inputs.catalog_for(cluster))


RULE = Rule(
    code="DRV062",
    name="pool-named-like-default-driver",
    severity=Severity.ERROR,
    summary="A pool with a driver of its own has the name of the default NVIDIADriver.",
    help="The driver of a branch, or with stack.nodeSelection: labels of a pool with rdma, is an NVIDIADriver with the "
    "name of the pool. The GPU Operator's chart creates one named default for the nodes of all other pools. The two "
    "would overwrite each other.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/templates/nvidiadriver.yaml",
    ),
    facts=("charts/gpu-operator",),
    check=_check,
)
