"""A workload or model that the guard of its cluster denies."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.rules.inputs.served_models import served_models
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads in namespaces without a team, and models on clusters with Kueue."""
    placed: Sequence[Workload | Model] = (*inputs.workloads, *inputs.models)
    for workload in placed:
        guarded_clusters = (cluster for cluster in clusters_of(inputs, workload) if cluster.stack.guard == "deny")
        names = [cluster.name for cluster in guarded_clusters if not _has_team(workload, cluster, inputs)]
        if names:
            message = f"the guard of {join_names(names)} denies its pods: {workload.namespace} has no team there"
            remedy = "add the namespace to a GpuTeam with a quota on the cluster, or set stack.guard: warn"
            yield Finding(workload.origin, ("metadata", "namespace"), message, remedy)
    for served in served_models(inputs):
        stack = served.cluster.stack
        if stack.guard == "deny" and stack.queues != "none" and _has_team(served.model, served.cluster, inputs):
            name = served.cluster.name
            message = f"the guard of {name} denies its pods: KAITO does not give them the queue that the guard requires"
            yield Finding(served.model.origin, ("metadata", "name"), message, f"set stack.guard: warn on {name}")


def _has_team(workload: Workload | Model, cluster: Cluster, inputs: Inputs) -> bool:
    return any(workload.namespace in team.namespaces for team in inputs.teams_on(cluster))


RULE = Rule(
    code="QUE021",
    name="guard-denies-workload",
    severity=Severity.ERROR,
    summary="The guard of a cluster denies the pods of a workload: no team, or a model without a queue.",
    help="With stack.guard: deny, the API server denies pods with GPUs in namespaces that belong to no team, and with "
    "Kueue those without a queue, such as KAITO's. Pods that run stay, but they are not created again, for example "
    "after a drain.",
    sources=("https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/",),
    check=_check,
)
