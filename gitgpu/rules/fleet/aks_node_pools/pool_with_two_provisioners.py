"""A pool is either a Karpenter NodePool or an AKS node pool."""

from collections.abc import Iterable, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import PROVISIONER, cluster_with_place, is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools on clusters with different provisioners."""
    for pool, clusters in pools_with_clusters(inputs):
        different = len({cluster.provisioner for cluster in clusters}) > 1
        if different and not is_written(pool.origin, PROVISIONER):
            by_provisioner = sorted(_by_provisioner(clusters).items())
            defaults = (f"{name} on {join_names(names)}" for name, names in by_provisioner)
            message = f"a pool has one provisioner, but the default is {', and '.join(defaults)}"
            remedy = "set provisioner on the pool, or use one GpuPool for each provisioner"
            yield Finding(pool.origin, ("spec", "clusters"), message, remedy)


def _by_provisioner(clusters: Iterable[Cluster]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for cluster in clusters:
        names.setdefault(cluster.provisioner, []).append(cluster_with_place(cluster, "provisioner"))
    return names


RULE = Rule(
    code="AGP003",
    name="pool-with-two-provisioners",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool without a provisioner is on clusters with different ones.",
    help="A NodePool and an AKS node pool have different fields: a NodePool can have several sizes, a weight and "
    "disruption budgets, while an AKS node pool has one size and a node count.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
    ),
    check=_check,
)
