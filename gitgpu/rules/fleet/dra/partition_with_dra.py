"""gitgpu does not share or partition GPUs that pods claim."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a partition, and the clusters where their GPUs are claimed."""
    for pool, clusters in pools_with_clusters(inputs):
        method = pool.sharing.way or ("mig" if pool.mig else "")
        claiming_clusters = [cluster for cluster in clusters if is_claimed(cluster, pool)]
        if method and claiming_clusters:
            places = join_names([stack_with_place(cluster, "allocation") for cluster in claiming_clusters])
            allocation = claiming_clusters[0].stack.allocation
            message = f"{method} needs the device plugin, but allocation is {allocation} on {places}"
            remedy = "remove partition, or set allocation: device-plugin there"
            yield Finding(pool.origin, ("spec", "partition", method), message, remedy)


RULE = Rule(
    code="DRA004",
    name="partition-with-dra",
    severity=Severity.ERROR,
    summary="A pool sets partition on a cluster with allocation: dra or aks-dra.",
    help="gitgpu configures sharing and MIG in the device plugin and the MIG manager, which do not serve claimed "
    "GPUs. In NVIDIA's DRA driver, time-slicing, MPS, shared capacity and dynamic MIG are alpha feature gates that "
    "are disabled by default. gitgpu does not enable them.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/pkg/featuregates/featuregates.go",
    ),
    check=_check,
)
