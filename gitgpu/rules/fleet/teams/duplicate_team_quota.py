"""Two quotas of a team for the same GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import UnitQuota, quotas_on
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Entries that count what an earlier entry of the team counts."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in inputs.clusters:
        first: dict[tuple[str, ...], UnitQuota] = {}
        for quota in quotas_on(inputs, cluster):
            same = (quota.team.name, quota.unit.pool.name, quota.flavor, quota.unit.resource)
            earlier = first.setdefault(same, quota)
            if earlier is not quota:
                where = earlier.team.origin.span(earlier.entry.place)
                message = f"the entry at {where} already has {quota.unit.resource} of pool {earlier.unit.pool.name}"
                yield cluster, Finding(quota.team.origin, quota.entry.place, message, "merge the two entries")


RULE = Rule(
    code="TEA014",
    name="duplicate-team-quota",
    severity=Severity.ERROR,
    summary="Two quotas of a team count the same GPUs.",
    help="A queue has one amount of a resource for each flavor.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
    ),
    check=_check,
)
