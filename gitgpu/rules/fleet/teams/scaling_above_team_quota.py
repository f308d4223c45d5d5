"""A workload that scales beyond the quota of its team."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet.teams._reach import quotas_by_cluster, reach, units, usable_quotas
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose last replicas wait even if all of the quota is free."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    by_cluster = quotas_by_cluster(inputs)
    for workload, scaling, clusters in scaled_workloads(inputs):
        for cluster in clusters:
            team, every = inputs.team_of(workload, cluster), by_cluster[cluster.name]
            quotas = usable_quotas(inputs, workload, team, cluster, every) if team else []
            can_borrow = cluster.stack.queues != "none"
            room = sum(reach(quota, every) if can_borrow else quota.entry.gpus for quota in quotas)
            needed = scaling.max * workload.gpus
            if team and quotas and workload.gpus <= room < needed:
                what = f"{scaling.max} replicas need {needed} {units(quotas)}"
                message = f"{what}, but the team {team.name} can have {room}"
                remedy = f"raise the quota of the team, or set max: {room // workload.gpus}"
                yield cluster, Finding(workload.origin, ("spec", "scaling", "max"), message, remedy)


RULE = Rule(
    code="TEA007",
    name="scaling-above-team-quota",
    severity=Severity.WARNING,
    summary="A workload may scale to more GPUs than the quota of its team allows.",
    help="Replicas beyond the quota wait, and the scaler counts them as if they worked. Without Kueue, the "
    "ResourceQuota refuses them.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
        "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
    ),
    check=_check,
)
