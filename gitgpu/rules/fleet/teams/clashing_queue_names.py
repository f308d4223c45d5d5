"""Objects of teams with the same name, or with a reserved one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.team import Team
from gitgpu.model.team_quotas import quotas_on
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

NAME: Pointer = ("metadata", "name")
_RESERVED = {"aks": ("aks-", "AKS"), "none": ("system-", "Kubernetes")}  # by stack.queues: a prefix, and whose it is


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Names of teams, flavors and priority classes that clash."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in inputs.clusters:
        for finding in (*_reserved(inputs, cluster), *_priorities(inputs, cluster), *_flavors(inputs, cluster)):
            yield cluster, finding


def _reserved(inputs: Inputs, cluster: Cluster) -> Iterator[Finding]:
    """Teams whose objects have a reserved name: without Kueue, only priority classes are named after a team."""
    prefix, owner = _RESERVED.get(cluster.stack.queues, ("", ""))
    for team in inputs.teams_on(cluster):
        if prefix and team.name.startswith(prefix) and (owner == "AKS" or team.priorities):
            message = f"{owner} reserves names that start with {prefix}"
            yield Finding(team.origin, NAME, message, "use another name for the team")


def _priorities(inputs: Inputs, cluster: Cluster) -> Iterator[Finding]:
    """Classes such as a-b-c, which can be c of the team a-b or b-c of the team a."""
    owners: dict[str, Team] = {}
    for team in inputs.teams_on(cluster):
        for name in team.priorities:
            owner = owners.setdefault(f"{team.name}-{name}", team)
            if owner is not team:
                message = f"a priority of the team {owner.name} has the same class, {team.name}-{name},"
                yield Finding(team.origin, ("spec", "priorities", name), message, "use another name for the priority")


def _flavors(inputs: Inputs, cluster: Cluster) -> Iterator[Finding]:
    """Flavors such as t4-spot, which can be that of a pool, or that of the spot nodes of another one."""
    pools: dict[str, str] = {}
    for quota in quotas_on(inputs, cluster) if cluster.stack.queues != "none" else ():
        pool = quota.unit.pool.name
        first = pools.setdefault(quota.unit.flavor, pool) if not quota.entry.flavor else pool
        reserved = cluster.stack.queues == "aks" and not quota.entry.flavor and pool.startswith("aks-")
        if first != pool or reserved:
            whose = "AKS reserves its prefix" if reserved else f"pool {first} has a flavor of that name too"
            message = f"the flavor of pool {pool} is {quota.unit.flavor}, and {whose}"
            remedy = "rename the pool, or name a flavor of your own in the quota"
            yield Finding(quota.team.origin, quota.entry.place, message, remedy)


RULE = Rule(
    code="TEA009",
    name="clashing-queue-names",
    severity=Severity.ERROR,
    summary="The objects of teams have the same name, or one that AKS or Kubernetes reserves.",
    help="ClusterQueues, ResourceFlavors and priority classes have no namespace, so a name stands for one "
    "object of the cluster. AKS keeps names that start with aks- for what its extension generates.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/workload_priority_class.md",
        "https://learn.microsoft.com/azure/aks/configure-queues-with-automatic-resource-flavors",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",
    ),
    check=_check,
)
