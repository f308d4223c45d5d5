"""What is documented of managed DRANET is less than a pool with it relies on."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family
from gitgpu.model.syntax.version import minor, version
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.spelling import join_names

RDMA = ("spec", "rdma")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The first pool with managed NICs, pools with another image family, and pools on older clusters."""
    since = inputs.catalog.must("features", "resource-claims")["since"]
    pools = [(pool, clusters) for pool, clusters in node_pools(inputs) if pool.has_managed_nics and not pool.windows]
    if pools:
        message = "AKS announced managed DRANET as a preview, and its general availability is not known"
        remedy = f"test it before production, and suppress {RULE.code} with a reason; or set rdma: sriov"
        yield Finding(pools[0][0].origin, RDMA, message, remedy)
    for pool, clusters in pools:
        name = family(pool, inputs.catalog)
        if not name.startswith("Ubuntu"):
            message = f"managed DRANET is not known to work on {name}: no document lists its operating systems"
            yield Finding(pool.origin, ("spec", "image", "family"), message, "set image.family: Ubuntu")
        old = [cluster for cluster in clusters if version(cluster.kubernetes)[:2] < version(since)[:2]]
        if old:
            names = join_names([cluster_with_place(cluster, "kubernetesVersion") for cluster in old])
            message = f"managed DRANET needs ResourceClaims, which {names} does not serve"
            yield Finding(pool.origin, RDMA, message, f"use Kubernetes {minor(since)} or later there")


RULE = Rule(
    code="RDM008",
    name="managed-rdma-not-verified",
    severity=Severity.WARNING,
    summary="A pool has rdma: managed, about which AKS documents little.",
    help="The stable API has managed DRANET as of 2026-06-01, but a field of a stable API does not announce "
    "general availability. The page of AKS names neither the operating systems nor the oldest Kubernetes version. "
    "DRANET uses resource.k8s.io/v1, which Kubernetes serves as of 1.34. Microsoft tests InfiniBand on Ubuntu.",
    sources=(
        "https://learn.microsoft.com/azure/aks/managed-support-for-dranet",
        "https://github.com/Azure/AKS/issues/5605",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
    ),
    facts=("features/resource-claims",),
    check=_check,
)
