"""Some fields apply to Karpenter only."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place, written_pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

FIELDS: Mapping[Pointer, str] = {
    ("disruption",): "remove it; the autoscaler profile of the cluster controls when nodes are removed",
    ("weight",): "remove it; the expander of the cluster autoscaler chooses among pools",
    ("localDNS",): "remove it; set it with `az aks nodepool update --localdns-config`",
    ("nodeClass",): "remove it; AKS node pools have no AKSNodeClass",
    ("nodeRequirements",): "remove it, and set sku; an AKS node pool has one size",
    ("replicas",): "set nodes with min equal to max",
    ("explicitDefaults",): "remove it; AKS does not replace nodes when a default is set explicitly",
    ("annotations",): "remove it; AKS node pools cannot set annotations on nodes",
    ("spotTaint",): "remove it; AKS always taints its spot nodes",
    ("placement",): "set zones for zonal nodes; without zones, AKS creates regional nodes",
    ("startupTaints",): "remove it; the cluster autoscaler would expect pods to tolerate it",
    ("limits", "cpu"): "set nodes.max, limits.gpus or limits.nodes",
    ("limits", "memory"): "set nodes.max, limits.gpus or limits.nodes",
    ("limits", "resources"): "set nodes.max, limits.gpus or limits.nodes",
}


MOVE = "move it from the defaults of the Fleet to spec.pool of the clusters with node auto-provisioning"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools with fields of Karpenter."""
    mixed = any(not cluster.has_node_pools for cluster in inputs.clusters)
    for pool, clusters in node_pools(inputs):
        for path, remedy in FIELDS.items():
            place = written_pool_place(pool, *path)
            if place is None:
                continue
            origin, where = place
            shared = mixed and origin.ref == inputs.fleet.origin.ref
            if not (shared and path == ("disruption",)):  # in defaults, it is for the other pools
                names = [cluster_with_place(cluster, "provisioner") for cluster in clusters]
                message = (
                    f"{'.'.join(map(str, path))} applies to Karpenter only, but {join_names(names)} has AKS node pools"
                )
                yield Finding(origin, where, message, MOVE if shared else remedy)


RULE = Rule(
    code="AGP005",
    name="karpenter-field-on-node-pool",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool on a cluster with the cluster autoscaler has fields that apply to Karpenter only.",
    help="The cluster autoscaler adds nodes of one size between a minimum and a maximum, and removes nodes with low "
    "utilization. It has no budgets, consolidation or weight, and no limits other than the number of nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler-overview.md",
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/FAQ.md",
    ),
    check=_check,
)
