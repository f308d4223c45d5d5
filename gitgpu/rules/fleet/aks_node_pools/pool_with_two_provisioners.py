"""A pool is either a Karpenter NodePool or an AKS node pool."""

from collections.abc import Iterable, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools on clusters with different provisioners."""
    for pool, clusters in pools_with_clusters(inputs):
        if len({cluster.has_node_pools for cluster in clusters}) > 1:
            autoscaled, provisioned = _names(clusters, has_node_pools=True), _names(clusters, has_node_pools=False)
            autoscaler = f"{join_names(autoscaled)} {_use(autoscaled)} the cluster autoscaler"
            karpenter = f"{join_names(provisioned)} {_use(provisioned)} Karpenter"
            message = f"a pool has one provisioner, but {autoscaler}, and {karpenter}"
            remedy = "use two GpuPools, one for each provisioner"
            yield Finding(pool.origin, ("spec", "clusters"), message, remedy)


def _names(clusters: Iterable[Cluster], *, has_node_pools: bool) -> list[str]:
    return [
        cluster_with_place(cluster, "provisioner") for cluster in clusters if cluster.has_node_pools is has_node_pools
    ]


def _use(names: list[str]) -> str:
    return "uses" if len(names) == 1 else "use"


RULE = Rule(
    code="AGP003",
    name="pool-with-two-provisioners",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool is on clusters with Karpenter and on clusters with the cluster autoscaler.",
    help="A NodePool and an AKS node pool have different fields: a NodePool can have several sizes, a weight and "
    "disruption budgets, while an AKS node pool has one size and a node count.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
    ),
    check=_check,
)
