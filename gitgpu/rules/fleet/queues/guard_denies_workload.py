"""A workload or model that the guard of its cluster denies."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import quotas_on
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.rules.inputs.served_models import served_models
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads in namespaces without a team or on pools of others, and models on clusters with Kueue."""
    placed: Sequence[Workload | Model] = (*inputs.workloads, *inputs.models)
    for workload in placed:
        guarded_clusters = (cluster for cluster in clusters_of(inputs, workload) if cluster.stack.guard == "deny")
        names = [cluster.name for cluster in guarded_clusters if not _has_team(workload, cluster, inputs)]
        if names:
            message = f"the guard of {join_names(names)} denies its pods: {workload.namespace} has no team there"
            remedy = "add the namespace to a GpuTeam with a quota on the cluster, or set stack.guard: warn"
            yield Finding(workload.origin, ("metadata", "namespace"), message, remedy)
    yield from _of_other_teams(placed, inputs)
    for served in served_models(inputs):
        stack = served.cluster.stack
        if stack.guard == "deny" and stack.queues != "none" and _has_team(served.model, served.cluster, inputs):
            name = served.cluster.name
            message = f"the guard of {name} denies its pods: KAITO does not give them the queue that the guard requires"
            yield Finding(served.model.origin, ("metadata", "name"), message, f"set stack.guard: warn on {name}")


def _of_other_teams(placed: Sequence[Workload | Model], inputs: Inputs) -> Iterator[Finding]:
    """Pods that could run on a pool that their team has no quota of. With Kueue, the flavor keeps them off it."""
    own = {
        cluster.name: _own_pools(inputs, cluster)
        for cluster in inputs.clusters
        if (cluster.stack.guard, cluster.stack.queues) == ("deny", "none")
    }
    for workload in placed if own else ():
        lacking: dict[str, list[str]] = {}
        for cluster in clusters_of(inputs, workload):
            names = own.get(cluster.name, {}).get(workload.namespace)
            for pool in inputs.pools_of(workload) if names and not _creates_nodes(workload, cluster) else ():
                if cluster.name in pool.clusters and names and pool.name not in names:
                    lacking.setdefault(pool.name, []).append(cluster.name)
        for name, clusters in lacking.items():
            message = f"the guard of {join_names(clusters)} denies its pods: its team has no quota of pool {name}"
            remedy = f"add a quota of {name} to the team of {workload.namespace}, or remove the pool here"
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


def _own_pools(inputs: Inputs, cluster: Cluster) -> dict[str, set[str]]:
    """The pools of each namespace with a team: those that the team has a quota of."""
    pools: dict[str, set[str]] = {}
    for quota in quotas_on(inputs, cluster):
        for namespace in quota.team.namespaces:
            pools.setdefault(namespace, set()).add(quota.unit.pool.name)
    return pools


def _creates_nodes(workload: Workload | Model, cluster: Cluster) -> bool:
    """Whether KAITO's add-on creates the nodes of a model."""
    return isinstance(workload, Model) and cluster.stack.kaito == "addon"


def _has_team(workload: Workload | Model, cluster: Cluster, inputs: Inputs) -> bool:
    return any(workload.namespace in team.namespaces for team in inputs.teams_on(cluster))


RULE = Rule(
    code="QUE021",
    name="guard-denies-workload",
    severity=Severity.ERROR,
    summary="The guard of a cluster denies the pods of a workload: no team or quota, or a model without a queue.",
    help="With stack.guard: deny, the API server denies pods with GPUs in namespaces that belong to no team. Without "
    "Kueue, it also denies those that could run on a pool that their team has no quota of, and with Kueue those "
    "without a queue, such as KAITO's. Pods that run stay, but they are not created again, for example after a drain.",
    sources=("https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/",),
    check=_check,
)
