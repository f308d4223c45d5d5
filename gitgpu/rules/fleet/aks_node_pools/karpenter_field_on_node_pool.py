"""Some fields apply to Karpenter only."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import ObjectRef, Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner, written_pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer, dotted_text
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
MOVE_TO_POOLS = "move it from the defaults of the Cluster to the pools with provisioner: nap"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools with fields of Karpenter."""
    shared = _shared(inputs)
    for pool, clusters in node_pools(inputs):
        for path, remedy in FIELDS.items():
            place = written_pool_place(pool, *path)
            if place is None:
                continue
            origin, where = place
            move = shared.get(origin.ref)
            if not (move and path == ("disruption",)):  # in defaults, it is for the other pools
                names = clusters_with_provisioner(pool, clusters)
                key = dotted_text(path)
                message = f"{key} applies to Karpenter only, but the pool is an AKS node pool on {join_names(names)}"
                yield Finding(origin, where, message, move or remedy)


def _shared(inputs: Inputs) -> dict[ObjectRef, str]:
    """The documents whose defaults also apply to pools of Karpenter, with where such a field belongs instead."""
    places = {cluster.origin.ref: MOVE_TO_POOLS for cluster, pool in inputs.placements() if pool.by_karpenter}
    if any(map(inputs.has_karpenter, inputs.clusters)):
        places[inputs.fleet.origin.ref] = MOVE
    return places


RULE = Rule(
    code="AGP005",
    name="karpenter-field-on-node-pool",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="An AKS node pool has fields that apply to Karpenter only.",
    help="An AKS node pool has a constant number of nodes, or the cluster autoscaler adds nodes of one size between a "
    "minimum and a maximum, and removes nodes with low utilization. It has no budgets, consolidation or weight, and no "
    "limits other than the number of nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler-overview.md",
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/FAQ.md",
    ),
    check=_check,
)
