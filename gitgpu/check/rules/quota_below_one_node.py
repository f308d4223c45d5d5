"""A quota must leave room for at least one node."""

from collections.abc import Iterator

from gitgpu.check.quotas import lacking, more
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.sizes import sized
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  quota:
  - {name: standardNDSH100v5Family, limit: 0}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H100_v5
  limits: {gpus: 32}
"""
GOOD = BAD.replace("limit: 0", "limit: 384")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Recorded quotas that are smaller than a node of a pool, where no other size or priority of it has room."""
    for cluster in inputs.clusters:
        for pool in inputs.pools_on(cluster):
            if found := lacking(cluster, pool):
                least, index = found
                quota = cluster.quota[index]
                pool_said = sized(pool)
                message = (
                    f"the quota of {quota.title} is {quota.limit} in {cluster.region}, and a node of {pool_said} "
                    f"takes {least}: none can ever start"
                )
                place = ("spec", "quota", index, "limit")
                yield Finding(cluster.origin, place, message, more(quota, cluster, least))


RULE = Rule(
    code="QTA001",
    name="quota-below-one-node",
    severity=Severity.ERROR,
    summary="A quota that the cluster records is smaller than one node of a pool.",
    help="Azure refuses each machine that would go over a quota, and the quota of most GPU families is 0 until "
    "somebody asks for more. The pods then wait for ever.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
