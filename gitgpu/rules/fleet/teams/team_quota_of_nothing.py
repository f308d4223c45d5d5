"""A quota of something that the pool does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.team import Quota, Team
from gitgpu.model.team_quotas import Units
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Entries of quotas that match nothing on any cluster of the team."""
    by_cluster = {cluster.name: Units(inputs, cluster) for cluster in inputs.clusters}
    for team in inputs.teams:
        clusters = [by_cluster[name] for name in team.clusters]
        for entry in team.quota:
            matched = any(units.matching(entry) for units in clusters) or _may_match(inputs, team, entry)
            if clusters and not matched:
                yield Finding(team.origin, entry.place, _message(team, entry), _remedy(entry))


def _may_match(inputs: Inputs, team: Team, entry: Quota) -> bool:
    """Whether a pool on these clusters could match that has no known size, which is reported there."""
    pools = (pool for name in team.clusters for pool in inputs.on.get(name, ()))
    return any(not pool.skus and entry.pool in (None, pool.name) for pool in pools)


def _message(team: Team, entry: Quota) -> str:
    parts = (entry.mig and f"MIG profile {entry.mig}", entry.capacity and f"{entry.capacity} nodes")
    wanted = " and ".join(part for part in parts if part)
    pool_text = f"pool {entry.pool}" if entry.pool else f"pool of {entry.model} GPUs"
    having = f" with {wanted}" if wanted else ""
    clusters = "cluster" if len(team.clusters) == 1 else "clusters"
    return f"no {pool_text}{having} is on {join_names(sorted(team.clusters))}, the {clusters} of the team"


def _remedy(entry: Quota) -> str:
    keys = [key for key, value in (("mig", entry.mig), ("capacity", entry.capacity)) if value]
    return f"correct {' and '.join(keys)}, or remove the entry" if keys else "correct the name, or remove the entry"


RULE = Rule(
    code="TEA003",
    name="team-quota-of-nothing",
    severity=Severity.WARNING,
    summary="A quota of a team counts something that no pool on its clusters has.",
    help="The quota has no effect, and workloads that need it are never admitted.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
    ),
    check=_check,
)
