"""A workload whose team has no quota of its pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet.teams._reach import quotas_by_cluster, usable_quotas
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that wait forever, because their queue has none of their pools."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    by_cluster = quotas_by_cluster(inputs)
    for workload in inputs.workloads:
        for cluster in clusters_of(inputs, workload):
            team = inputs.team_of(workload, cluster) if cluster.stack.queues != "none" else None
            if team and not usable_quotas(inputs, workload, team, cluster, by_cluster[cluster.name]):
                message = f"the team {team.name} has no quota of these pools, or of what the workload requests there,"
                remedy = "add a quota of one of the pools to the team, or name pools of its quota"
                yield cluster, Finding(workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="TEA012",
    name="workload-without-quota",
    severity=Severity.ERROR,
    summary="The team of a workload has no quota of any of its pools.",
    help="Kueue admits a workload to a flavor of its queue. If its node affinity excludes all of them, it "
    "waits forever.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/resource_flavor.md",
    ),
    check=_check,
)
