"""A node count that overrides the cluster autoscaler."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        if pool.spec.get("enableAutoScaling") is True and pool.spec.get("count") is not None:
            message = "each reconciliation resets the pool to this size and reverts the cluster autoscaler"
            remedy = "remove count once the pool exists; AKS needs it only to create a pool"
            yield Finding(pool.item, pool.place("count"), message, remedy)


RULE = Rule(
    code="APL060",
    name="count-on-autoscaled-pool",
    severity=Severity.WARNING,
    summary="A node pool has both the cluster autoscaler and a fixed count.",
    help="Azure Service Operator sends every property of the object to Azure at every reconciliation.",
    sources=(
        "https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/18c790ef30c8146ff158f9b848a54c48176267fc/pkg/mutators/azureasomanagedmachinepool.go",
        "https://github.com/Azure/azure-service-operator/issues/3220",
    ),
    check=_check,
)
