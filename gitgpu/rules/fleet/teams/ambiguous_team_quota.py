"""A quota that may mean several resources of a cluster."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import Unit, Units
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Entries of quotas that match pools, capacity types or resources of several kinds."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in inputs.clusters:
        all_units = Units(inputs, cluster)
        for team in inputs.teams_on(cluster):
            for entry in team.quota:
                units = all_units.matching(entry)
                if len(units) > 1:
                    message, remedy = _problem(units)
                    yield cluster, Finding(team.origin, entry.place, message, remedy)


def _problem(units: tuple[Unit, ...]) -> tuple[str, str]:
    pools = sorted({unit.pool.name for unit in units})
    if len(pools) > 1:
        return (
            f"several pools have the model, such as {join_names(pools)},",
            "name the pool instead, one entry for each",
        )
    if any(unit.capacity for unit in units):
        return (
            f"{pools[0]} has spot and on-demand nodes",
            "set capacity: on-demand, and add another entry for spot",
        )
    names = sorted({unit.resource for unit in units})
    return (
        f"{pools[0]} has several resources, such as {join_names(names)},",
        "set mig to a profile, and add an entry for each of the others",
    )


RULE = Rule(
    code="TEA002",
    name="ambiguous-team-quota",
    severity=Severity.ERROR,
    summary="A quota of a team may mean several resources of a cluster.",
    help="A quota is a number of one resource on the nodes of one pool. Kueue has a flavor for spot nodes and "
    "one for on-demand nodes, each with an amount of its own.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/resource_flavor.md",
    ),
    check=_check,
)
