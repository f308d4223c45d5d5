"""A workload whose namespace is not one of its team."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that name a team which has no queue in their namespace, or none on a cluster."""
    placed: Sequence[Workload | Model] = (*inputs.workloads, *inputs.models)
    for workload in placed:
        if not workload.team:
            continue
        clusters = clusters_of(inputs, workload)
        teams = [(cluster.name, inputs.team_of(workload, cluster)) for cluster in clusters]
        absent = [name for name, team in teams if team is None]
        outside = sorted({team.name for _, team in teams if team and workload.namespace not in team.namespaces})
        if absent:
            message = f"the team {workload.team} has no quota on {join_names(absent)}, where the workload may run"
            remedy = "add a quota for a pool there, or select other clusters for the workload"
            yield Finding(workload.origin, ("spec", "team"), message, remedy)
        elif outside:
            message = f"the namespace {workload.namespace} does not belong to the team {outside[0]}"
            remedy = "add it to the namespaces of the team, or move the workload"
            yield Finding(workload.origin, ("spec", "team"), message, remedy)


RULE = Rule(
    code="TEA010",
    name="workload-outside-its-team",
    severity=Severity.ERROR,
    summary="A workload names a team that has no queue in its namespace, or no quota on a cluster.",
    help="The queue of a team is a LocalQueue in each of its namespaces, and its quota without Kueue a "
    "ResourceQuota there. A workload can only use a queue in its own namespace.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/local_queue.md",
    ),
    check=_check,
)
