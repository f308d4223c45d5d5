"""Two teams with the same namespace on a cluster."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.team import Team
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Namespaces that another team has first, by name."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in inputs.clusters:
        owners: dict[str, Team] = {}
        for team in inputs.teams_on(cluster):
            for index, namespace in enumerate(team.namespaces):
                owner = owners.setdefault(namespace, team)
                if owner is not team:
                    where = owner.origin.span(("spec", "namespaces"))
                    message = f"the namespace {namespace} belongs to the team {owner.name} ({where})"
                    remedy = "remove it from one of the teams, or give the teams different clusters"
                    yield cluster, Finding(team.origin, ("spec", "namespaces", index), message, remedy)


RULE = Rule(
    code="TEA001",
    name="two-teams-for-one-namespace",
    severity=Severity.ERROR,
    summary="Two teams have the same namespace on a cluster.",
    help="A workload in a namespace of a team has that team, and its quota and queue with it. Without a "
    "decision, the quota of either could be used.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/local_queue.md",
    ),
    check=_check,
)
