"""A cluster with both node auto-provisioning and the cluster autoscaler."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import clusters, pools_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        is_on = reach(cluster.body, "spec", "nodeProvisioningProfile", "mode") == "Auto"
        # AKS Automatic always has it; AKS itself scales the system pools of such clusters.
        is_automatic = reach(cluster.body, "spec", "sku", "name") == "Automatic"
        for pool in pools_of(cluster, objects):
            if (is_on or (is_automatic and pool.spec.get("mode") == "User")) and pool.spec.get(
                "enableAutoScaling"
            ) is True:
                message = (
                    f"pool '{pool.name}' uses the cluster autoscaler in a cluster with node auto-provisioning; "
                    "this works only if the feature AllowClusterAutoscalerAndNAP is registered"
                )
                remedy = "set enableAutoScaling: false, and count instead of minCount and maxCount"
                yield Finding(pool.item, pool.place("enableAutoScaling"), message, remedy)


RULE = Rule(
    code="APL012",
    name="two-autoscalers",
    twin="AGP025",
    severity=Severity.WARNING,
    summary="A cluster with node auto-provisioning has a node pool that uses the cluster autoscaler.",
    help="Both react to the same pending pods and can provision nodes twice, unless taints keep their pods apart. "
    "AKS allows both only with the feature flag AllowClusterAutoscalerAndNAP, during a migration.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/migrate-from-autoscaler-to-node-auto-provisioning.md",
    ),
    check=_check,
)
