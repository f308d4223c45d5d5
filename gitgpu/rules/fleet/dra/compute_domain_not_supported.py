"""A ComputeDomain needs claimed GPUs with Multi-Node NVLink."""

from collections.abc import Iterator

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.driver_owner import driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import uses
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a ComputeDomain, and their pools that do not support one."""
    for use in uses(inputs):
        if not use.workload.compute_domain:
            continue
        for pool in (*use.claimed, *use.counted):
            if obstacle := _obstacle(use.cluster, pool):
                why, remedy = obstacle
                message = f"pool {pool.name} on {use.cluster.name} does not support a ComputeDomain: {why}"
                yield Finding(use.workload.origin, ("spec", "computeDomain"), message, remedy)


def _obstacle(cluster: Cluster, pool: Pool) -> Problem | None:
    """Why the pool does not support a ComputeDomain, and the remedy."""
    # Pods of a domain may start on any size of the pool, so each has to have it.
    alone = [sku.name for sku in pool.skus if not (sku.gpu and sku.gpu.multi_node_nvlink)]
    if alone:
        return Problem(
            with_place(f"{join_names(alone)} has no Multi-Node NVLink", pool.origin, sizes_place(pool)),
            "remove computeDomain, or use GB200 or GB300",
        )
    if not is_claimed(cluster, pool):
        return Problem(
            f"its GPUs are not claimed on {stack_with_place(cluster, 'allocation')}",
            "set stack: {allocation: dra} and driver: operator there",
        )
    if driver_on(cluster, pool) != "operator":
        return Problem(
            "its nodes have no label for their NVLink domain",
            "set driver: operator, which installs GPU Feature Discovery",
        )
    return None


RULE = Rule(
    code="DRA007",
    name="compute-domain-not-supported",
    severity=Severity.ERROR,
    summary="A workload requests a ComputeDomain on a pool that does not support it.",
    help="A ComputeDomain runs IMEX daemons over Multi-Node NVLink, which only the Azure sizes with GB200 and GB300 "
    "have. Pods join it with a claim that NVIDIA's DRA driver serves. GPU Feature Discovery, which the GPU Operator "
    "installs, labels the nodes of a domain. Otherwise the pods wait for a daemon that never becomes ready.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/concepts/compute-domains.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
)
