"""Settings of a team that only Kueue knows."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.team import Quota, Team
from gitgpu.model.team_quotas import Units
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Borrowing, lending, flavors and weights on clusters without Kueue."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in (cluster for cluster in inputs.clusters if cluster.stack.queues == "none"):
        units = Units(inputs, cluster)
        for team in inputs.teams_on(cluster):
            for pointer in _settings(team, [entry for entry in team.quota if units.matching(entry)]):
                message = f"{pointer[-1]} has no effect without Kueue, which queues: none does not install,"
                remedy = f"set stack.queues: kueue on the cluster, or remove {pointer[-1]}"
                yield cluster, Finding(team.origin, pointer, message, remedy)


def _settings(team: Team, quota: Sequence[Quota]) -> Iterator[Pointer]:
    """What Kueue alone knows of a team and of the entries of its quota that count on a cluster."""
    if team.fair_share is not None:
        yield ("spec", "fairShare")
    for entry in quota:
        settings = {"borrow": entry.borrow != 0, "lend": entry.lend is not None, "flavor": entry.flavor is not None}
        for key, is_set in settings.items():
            if is_set:
                yield (*entry.place, key)


RULE = Rule(
    code="TEA008",
    name="queue-setting-without-kueue",
    severity=Severity.WARNING,
    summary="A team borrows, lends or has a weight on a cluster without Kueue.",
    help="Kubernetes itself has ResourceQuotas: a fixed number for each namespace, which no other namespace can use.",
    sources=("https://kubernetes.io/docs/concepts/policy/resource-quotas/",),
    check=_check,
)
