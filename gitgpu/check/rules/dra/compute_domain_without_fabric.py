"""A compute domain needs GPUs that NVLink joins across nodes, by claim."""

from collections.abc import Iterator

from gitgpu.check.claims import uses
from gitgpu.check.names import join_names
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_with_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs, driver_on, is_claimed

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  computeDomain: true
"""
GOOD = BAD.replace("computeDomain: true", "computeDomain: false")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a compute domain, and each pool that cannot be part of one."""
    for one in uses(inputs):
        for pool in (*one.claimed, *one.counted) if one.workload.compute_domain else ():
            if why := _obstacle(inputs, one.cluster, pool):
                message = f"no compute domain on {pool.name} ({one.cluster.name}): {why[0]}"
                yield Finding(one.workload.origin, ("spec", "computeDomain"), message, why[1])


def _obstacle(inputs: Inputs, cluster: Cluster, pool: Pool) -> tuple[str, str] | None:
    """What is in the way, and what would change that."""
    alone = [sku.name for sku in pool.skus if not (sku.gpu and sku.gpu.multi_node_nvlink)]
    if alone:
        return with_place(
            f"NVLink does not leave the nodes of {join_names(alone)}", pool.origin, sizes_place(pool)
        ), "leave computeDomain out, or take GB200 or GB300"
    if not is_claimed(cluster, pool):
        return (
            f"its GPUs are not claimed on {stack_with_place(inputs, cluster, 'allocation')}",
            "write stack: {allocation: dra} and driver: operator there",
        )
    if driver_on(cluster, pool) != "operator":
        return (
            "nothing tells which nodes NVLink joins",
            "write driver: operator: it brings GPU Feature Discovery",
        )
    return None


RULE = Rule(
    code="DRA007",
    name="compute-domain-without-fabric",
    severity=Severity.ERROR,
    summary="A workload asks for a compute domain where NVLink joins no nodes, or where nothing can claim a channel "
    "in it.",
    help="A ComputeDomain runs IMEX daemons over Multi-Node NVLink, which of Azure's sizes only those with GB200 and "
    "GB300 have. Pods join it by a claim that NVIDIA's DRA driver serves, and GPU Feature Discovery, which comes with "
    "the GPU Operator, says which nodes are joined. Elsewhere the pods wait for a daemon that never becomes ready.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/concepts/compute-domains.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
