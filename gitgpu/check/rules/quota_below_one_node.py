"""A quota must leave room for at least one node."""

from collections.abc import Iterator, Mapping

from gitgpu.check.quotas import keys, more, recorded
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
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
    """Recorded quotas that are smaller than the smallest node of a pool that has no other to take."""
    for cluster, place, quota, needs in recorded(inputs):
        limits = {one.key: one.limit for one in cluster.quota}
        for pool in (need.pool for need in needs):
            least = min(sku.vcpus or 0 for sku in pool.skus)
            if quota.limit < least and not _room(pool, limits):
                message = (
                    f"the quota of {quota.title} is {quota.limit} in {cluster.region}, and the smallest node of "
                    f"{pool.name} takes {least}: none can ever start"
                )
                yield Finding(cluster.origin, place, message, more(quota, cluster, least))


def _room(pool: Pool, limits: Mapping[str, int]) -> bool:
    """Is there a size that the pool may take, on spot or on demand, for which no recorded quota is too small?"""
    return any(
        all(limits.get(key or "", sku.vcpus or 0) >= (sku.vcpus or 0) for key in keys(sku, way))
        for sku in pool.skus
        for way in pool.capacity
    )


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
