"""GPUs that no other team can borrow, or that no other team lends."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import UnitQuota, quotas_on
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet.teams._reach import lendable_gpus, same_unit
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Settings of lending and borrowing that no other team completes."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in inputs.clusters:
        quotas = list(quotas_on(inputs, cluster)) if cluster.stack.queues != "none" else []
        for quota in quotas:
            others = [other for other in quotas if other.team.name != quota.team.name and same_unit(quota, other)]
            for key, message, remedy in _problems(quota, others):
                yield cluster, Finding(quota.team.origin, (*quota.entry.place, key), message, remedy)


def _problems(quota: UnitQuota, others: list[UnitQuota]) -> Iterator[tuple[str, str, str]]:
    pool = quota.unit.pool.name
    if quota.entry.lend and not any(other.entry.borrow != 0 for other in others):
        message = f"no other team may borrow from pool {pool}"
        yield "lend", message, f"set borrow in the quota of another team for {pool}, or remove lend"
    if quota.entry.borrow != 0 and not any(map(lendable_gpus, others)):
        message = f"no other team lends from pool {pool}"
        yield "borrow", message, f"give another team a quota of {pool} that it lends, or remove borrow"


RULE = Rule(
    code="TEA005",
    name="lending-without-borrower",
    severity=Severity.WARNING,
    summary="A team lends GPUs that no other may borrow, or may borrow GPUs that no other lends.",
    help="Only teams with a quota of the same pool share it, and by default a quota borrows nothing. A team "
    "that should only borrow has a quota with gpus: 0.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cohort.md",
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
    ),
    check=_check,
)
