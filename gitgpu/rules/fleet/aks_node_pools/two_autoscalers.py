"""A cluster with both node auto-provisioning and the cluster autoscaler."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.fleet import FIXED, KARPENTER
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import PROVISIONER, clusters_with_provisioner, is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools that the cluster autoscaler scales, on clusters where Karpenter creates nodes too."""
    karpenter_clusters = {cluster.name for cluster in inputs.clusters if inputs.has_karpenter(cluster)}
    for pool, clusters in node_pools(inputs):
        # AUT002 reports AKS Automatic.
        nodes, base = bounds(pool), [cluster for cluster in clusters if not cluster.is_automatic]
        both = [cluster for cluster in base if cluster.name in karpenter_clusters]
        # AGP003 reports a pool that another default than that of its cluster makes a node pool.
        if not is_written(pool.origin, PROVISIONER):
            both = [cluster for cluster in both if cluster.provisioner != KARPENTER]
        # AGP008 reports a pool without a maximum, and a fixed one with two numbers of nodes.
        if both and pool.provisioner != FIXED and nodes.maximum is not None and nodes.minimum != nodes.maximum:
            names = join_names(clusters_with_provisioner(pool, both))
            message = (
                f"the cluster autoscaler scales the pool on {names}, which also has node auto-provisioning; AKS allows "
                "both only with the feature AllowClusterAutoscalerAndNAP, for a migration"
            )
            number = "equal min and max for each size" if pool.has_machines else f"nodes: {{max: {nodes.maximum}}}"
            remedy = f"set provisioner: fixed and {number}, or provisioner: nap"
            yield Finding(pool.origin, PROVISIONER, message, remedy)


RULE = Rule(
    code="AGP025",
    name="two-autoscalers",
    twin="APL012",
    severity=Severity.WARNING,
    summary="The cluster autoscaler scales a pool of a cluster with node auto-provisioning.",
    help="Both react to the same pending pods and can provision nodes twice, unless taints keep their pods apart. "
    "AKS allows both only with the feature flag AllowClusterAutoscalerAndNAP, during a migration. Node pools with a "
    "fixed number of nodes need no flag. runbook/cluster.sh registers it.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/migrate-from-autoscaler-to-node-auto-provisioning.md",
    ),
    check=_check,
)
