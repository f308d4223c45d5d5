"""A number of nodes that overrules the cluster autoscaler."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        if pool.spec.get("enableAutoScaling") is True and pool.spec.get("count") is not None:
            message = "each time the object goes to Azure, count overrules what the autoscaler has made of the pool"
            remedy = "remove count once the pool is there; AKS wants it of a new pool only"
            yield Finding(pool.item, pool.place("count"), message, remedy)


RULE = Rule(
    code="APL060",
    name="counted-autoscaled-pool",
    severity=Severity.WARNING,
    summary="A node pool has the cluster autoscaler and a count in an object that is sent to Azure again and again.",
    help="Azure Service Operator sends every property it is given, at every reconciliation.",
    sources=(
        "https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/18c790ef30c8146ff158f9b848a54c48176267fc/pkg/mutators/azureasomanagedmachinepool.go",
        "https://github.com/Azure/azure-service-operator/issues/3220",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  enableAutoScaling: true
  count: 1
  minCount: 1
  maxCount: 4
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  enableAutoScaling: true
  minCount: 1
  maxCount: 4
""",
)
