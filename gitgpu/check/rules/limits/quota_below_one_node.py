"""A quota must leave room for at least one node."""

from collections.abc import Iterator

from gitgpu.check.quotas import accounts, lacking, more
from gitgpu.check.requested_sizes import pool_with_sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.source import Span

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
    told: dict[tuple[str, Span], Finding] = {}
    for account in accounts(inputs):
        for cluster, pool in ((one, pool) for one in account.clusters for pool in inputs.pools_on(one)):
            if found := lacking(cluster, pool, account):
                least, record = found
                message = (
                    f"the quota of {record.quota.title} is {record.quota.limit} in {cluster.region}, and a node of "
                    f"{pool_with_sizes_place(pool)} takes {least}: none can ever start"
                )
                finding = Finding(record.cluster.origin, record.place, message, more(record, least))
                told.setdefault((pool.name, record.cluster.origin.span(record.place)), finding)
    return iter(told.values())


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
