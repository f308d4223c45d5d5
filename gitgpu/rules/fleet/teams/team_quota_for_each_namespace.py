"""A team with several namespaces on a cluster without Kueue."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Teams that get their quota once for each namespace."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in inputs.clusters:
        for team in inputs.teams_on(cluster) if cluster.stack.queues == "none" else ():
            if len(team.namespaces) > 1:
                count = len(team.namespaces)
                message = f"each of the {count} namespaces gets the whole quota, because there is no Kueue"
                remedy = "set stack.queues: kueue on the cluster, or make a team of each namespace"
                yield cluster, Finding(team.origin, ("spec", "namespaces"), message, remedy)


RULE = Rule(
    code="TEA013",
    name="team-quota-for-each-namespace",
    severity=Severity.WARNING,
    summary="A team with several namespaces gets its quota in each of them.",
    help="A ResourceQuota belongs to one namespace. Kubernetes has no quota for several of them; Kueue has.",
    sources=("https://kubernetes.io/docs/concepts/policy/resource-quotas/",),
    check=_check,
)
