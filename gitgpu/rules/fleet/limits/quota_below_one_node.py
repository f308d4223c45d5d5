"""A quota that is smaller than one node."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.quotas import Account, accounts, full_quota, how_to_request
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.source import Span


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Recorded quotas that are smaller than a node of a pool, when no other size or capacity type has room."""
    findings: dict[tuple[str, Span], Finding] = {}
    for account in accounts(inputs):
        for cluster in account.clusters:
            for pool in inputs.pools_on(cluster):
                if finding := _finding(cluster, pool, account):
                    # Clusters of one subscription share its quotas.
                    findings.setdefault((pool.name, finding.origin.span(finding.pointer)), finding)
    return iter(findings.values())


def _finding(cluster: Cluster, pool: Pool, account: Account) -> Finding | None:
    lack = full_quota(cluster, pool, account)
    if lack is None:
        return None
    minimum, record = lack
    message = (
        f"the quota of {record.quota.title} is {record.quota.limit} in {cluster.region}, but a node of "
        f"{pool_with_sizes_place(pool)} needs {minimum}: no node can ever start"
    )
    return Finding(record.cluster.origin, record.place, message, how_to_request(record, minimum))


RULE = Rule(
    code="QTA001",
    name="quota-below-one-node",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A quota that the cluster records is smaller than one node of a pool.",
    help="Azure rejects a VM that would exceed a quota, and the quota of most GPU families is 0 until you request "
    "more. The pods stay Pending indefinitely.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=_check,
)
