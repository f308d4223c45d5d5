"""A record of quotas should hold those that the pools take of."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.quota import SPOT_CORES, plain

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  quota:
  - {name: cores, limit: 1000}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H100_v5
  limits: {gpus: 32}
"""
GOOD = BAD.replace("  - {name: cores, limit: 1000}\n", "  - {name: standardNDSH100v5Family, limit: 384}\n")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a size whose quota the cluster's record lacks, or that the catalog does not know."""
    for cluster in inputs.clusters:
        for pool in inputs.pools_on(cluster) if cluster.quota else ():
            if missing := _missing(pool, cluster):
                message = f"it is uncertain whether {pool.name} can start: {join_names(missing)}"
                remedy = f"record all that `az vm list-usage --location {cluster.region} -o json` prints"
                yield Finding(cluster.origin, ("spec", "quota"), message, remedy)


def _missing(pool: Pool, cluster: Cluster) -> list[str]:
    """In words, the quotas of which there is no record; one of all cores there need not be."""
    there = {one.key for one in cluster.quota}
    names = [SPOT_CORES] if pool.only_spot else [sku.row["quotaFamily"] for sku in pool.skus]
    unknown = [f"the catalog does not know the family of {sku.name}" for sku in pool.skus if not sku.row["quotaFamily"]]
    lacking = [f"there is no record of {name}" for name in names if name and plain(name) not in there]
    return list(dict.fromkeys([*lacking, *(() if pool.only_spot else unknown)]))


RULE = Rule(
    code="QTA003",
    name="quota-not-recorded",
    severity=Severity.WARNING,
    summary="The cluster records quotas, but not that of a pool.",
    help="A family that is not on the list is not known to have room, and the quota of most GPU families begins at 0.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
