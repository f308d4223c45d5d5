"""A priority that the team of a workload does not have."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.team import Team
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.spelling import one_of


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a priority for which there is no class."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    aks_priorities = inputs.catalog.must("prerequisites", "managed-kueue")["priorities"]
    placed: Sequence[Workload | Model] = (*inputs.workloads, *inputs.models)
    for workload in placed:
        for cluster in clusters_of(inputs, workload) if workload.priority else ():
            team = inputs.team_of(workload, cluster)
            own = [*(team.priorities if team else ()), *(aks_priorities if cluster.stack.queues == "aks" else ())]
            if not team or workload.priority not in own:
                yield cluster, Finding(workload.origin, ("spec", "priority"), *_problem(workload.priority, team, own))


def _problem(priority: str | None, team: Team | None, own: list[str]) -> tuple[str, str]:
    if not team:
        return "priorities are those of a team, and the workload has none", "set team, or remove priority"
    remedy = f"use {one_of(sorted(own))}" if own else f"add it to the priorities of the team {team.name}"
    return f"the team {team.name} has no priority {priority}", remedy


RULE = Rule(
    code="TEA011",
    name="unknown-team-priority",
    severity=Severity.ERROR,
    summary="A workload has a priority that its team does not have.",
    help="Kueue refuses a workload whose WorkloadPriorityClass does not exist, and Kubernetes a pod whose "
    "PriorityClass does not exist.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/workload_priority_class.md",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",
    ),
    check=_check,
    facts=("prerequisites/managed-kueue",),
)
