"""Pools whose limits exceed a quota of their subscription."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.quota import Quota
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.quotas import Need, accounts, how_to_request, needs
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Recorded quotas that are smaller than what the pools use at their limits."""
    for account in accounts(inputs):
        for record in account.records:
            taking = list(needs(inputs, account, record.quota))
            total = sum(need.maximum for need in taking)
            if total > record.quota.limit:
                remedy = f"{how_to_request(record, total)}; or lower the limits of the pools"
                yield Finding(record.cluster.origin, record.place, _message(record.quota, taking, total), remedy)


def _message(quota: Quota, taking: Sequence[Need], total: int) -> str:
    pools = dict.fromkeys(need.pool.name for need in taking)
    clusters = dict.fromkeys(need.cluster.name for need in taking)
    used = f" ({quota.used} in use)" if quota.used is not None else ""
    return (
        f"{join_names(pools)} on {join_names(clusters)} can use {total} vCPUs of {quota.title}, but the "
        f"quota in {taking[0].cluster.region} is {quota.limit}{used}"
    )


RULE = Rule(
    code="QTA002",
    name="limits-above-quota",
    severity=Severity.WARNING,
    summary="The pools on a cluster can grow beyond a quota listed in `quota`.",
    help="Azure does not start VMs beyond a quota: pods stay Pending even though their pool is below its limits. "
    "On-demand nodes count against the quota of their VM family and the quota of all vCPUs in the region; spot nodes "
    "count against one quota for all spot VMs. Clusters whose resourceId names the same subscription share quotas.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=_check,
)
