"""A workload or model that the guard of its cluster denies."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads in namespaces without a team."""
    placed: Sequence[Workload | Model] = (*inputs.workloads, *inputs.models)
    for workload in placed:
        guarded = (cluster for cluster in clusters_of(inputs, workload) if cluster.stack.guard == "deny")
        names = [cluster.name for cluster in guarded if not _has_team(workload, cluster, inputs)]
        if names:
            message = f"the guard of {join_names(names)} denies its pods: {workload.namespace} has no team there"
            remedy = "add the namespace to a GpuTeam with a quota on the cluster, or set stack.guard: warn"
            yield Finding(workload.origin, ("metadata", "namespace"), message, remedy)


def _has_team(workload: Workload | Model, cluster: Cluster, inputs: Inputs) -> bool:
    return any(workload.namespace in team.namespaces for team in inputs.teams_on(cluster))


RULE = Rule(
    code="QUE021",
    name="guard-denies-workload",
    severity=Severity.ERROR,
    summary="A workload is in a namespace without a team, on a cluster whose guard denies it.",
    help="With stack.guard: deny, the API server denies pods with GPUs in namespaces that belong to no "
    "team. Pods that run stay, but they are not created again, for example after a drain.",
    sources=("https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/",),
    check=_check,
)
