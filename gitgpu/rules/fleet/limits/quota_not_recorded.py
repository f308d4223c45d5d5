"""A cluster that records quotas, without the quota of one of its pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.quota import SPOT_CORES, plain
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a size whose quota the cluster does not record, or whose VM family the catalog does not know."""
    for cluster in inputs.clusters:
        # Recording quotas is optional.
        if not cluster.quota:
            continue
        for pool in inputs.pools_on(cluster):
            if missing := _missing(pool, cluster):
                message = f"cannot check whether {pool.name} has quota: {join_names(missing)}"
                remedy = f"record the whole output of `az vm list-usage --location {cluster.region} -o json`"
                yield Finding(cluster.origin, ("spec", "quota"), message, remedy)


def _missing(pool: Pool, cluster: Cluster) -> list[str]:
    """A phrase for each quota that is not recorded. The quota of all vCPUs in the region is optional."""
    recorded = {quota.key for quota in cluster.quota}
    if pool.only_spot:  # there is one quota for the spot nodes of all families
        return [] if plain(SPOT_CORES) in recorded else [f"{SPOT_CORES} is not recorded"]
    names = [sku.row["quotaFamily"] for sku in pool.skus]
    lacking = [f"{name} is not recorded" for name in names if name and plain(name) not in recorded]
    unknown = [f"unknown VM family of {sku.name}" for sku in pool.skus if not sku.row["quotaFamily"]]
    return list(dict.fromkeys([*lacking, *unknown]))


RULE = Rule(
    code="QTA003",
    name="quota-not-recorded",
    severity=Severity.WARNING,
    summary="A cluster records quotas, but not the quota of one of its pools.",
    help="A family that is not recorded may have no quota: the quota of most GPU families is 0 by default.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=_check,
)
