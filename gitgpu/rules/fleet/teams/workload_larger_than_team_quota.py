"""A pod or gang that needs more than the quota of its team."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet.teams._reach import most, quotas_by_cluster, units, usable_quotas
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that never start, because their team can never have so many GPUs at once."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    by_cluster = quotas_by_cluster(inputs)
    for workload in inputs.workloads:
        for cluster in clusters_of(inputs, workload):
            team, every = inputs.team_of(workload, cluster), by_cluster[cluster.name]
            quotas = usable_quotas(inputs, workload, team, cluster, every) if team else []
            room = most(quotas, every, cluster)
            pods = _together(workload, cluster)
            if team and quotas and pods * workload.gpus > room:
                what = f"{pods} pods need {pods * workload.gpus}" if pods > 1 else f"a pod needs {workload.gpus}"
                at_most, key = ("", "gpus") if cluster.stack.queues == "none" else (" of a pool", "gpus or borrow")
                message = f"{what} {units(quotas)} at once, but the team {team.name} can have {room}{at_most}"
                remedy = f"raise {key} in the quota of the team, or request fewer"
                yield cluster, Finding(workload.origin, ("spec", "gpus"), message, remedy)


def _together(workload: Workload, cluster: Cluster) -> int:
    """How many pods of a workload Kueue admits together: those of a Job that KEDA creates. Others may be one by one."""
    parallel = (workload.job or {}).get("parallelism", 1)
    return parallel if cluster.stack.queues != "none" and isinstance(parallel, int) else 1


RULE = Rule(
    code="TEA006",
    name="workload-larger-than-team-quota",
    severity=Severity.ERROR,
    summary="A pod, or the pods of a Job, need more GPUs at once than the quota of their team allows.",
    help="Kueue admits the pods of a Job together, from one flavor, and only within the quota of the team and "
    "what it may borrow. Without Kueue, the ResourceQuota refuses the pod.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
        "https://kubernetes.io/docs/concepts/policy/resource-quotas/",
    ),
    check=_check,
)
