"""Quotas of teams that are more than a pool may have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import UnitQuota, quotas_on
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.unit_room import recorded_quotas, unit_room
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Quotas that exceed what the limits of a pool, or the Azure quota of its cluster, allow together."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    records = recorded_quotas(inputs)
    for cluster in inputs.clusters:
        by_flavor: dict[tuple[str, str, str], list[UnitQuota]] = {}
        for quota in quotas_on(inputs, cluster):
            key = (quota.unit.pool.name, quota.flavor, quota.unit.resource)
            by_flavor.setdefault(key, []).append(quota)
        for (pool, _, resource), quotas in by_flavor.items():
            total, room = (
                sum(quota.entry.gpus for quota in quotas),
                unit_room(quotas[0].unit, records.get(cluster.name, ())),
            )
            if room is not None and total > room.units:
                teams = join_names(dict.fromkeys(quota.team.name for quota in quotas))
                has = f"pool {pool} has at most {room.units}"
                message = f"the quotas of {teams} are {total} {resource}, but {has}"
                remedy = f"lower them to {room.units} together, or raise {room.by}"
                last = quotas[-1]
                yield cluster, Finding(last.team.origin, (*last.entry.place, "gpus"), message, remedy)


RULE = Rule(
    code="TEA004",
    name="quotas-above-pool-limit",
    severity=Severity.WARNING,
    summary="The quotas of teams are more than a pool, or the Azure quota of its cluster, allows.",
    help="A workload that is admitted gets its quota, but no node: its pods stay Pending, and the quota is "
    "used. With Kueue 0.19, such a workload is evicted after 30 minutes and queued again.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/tasks/manage/setup_wait_for_pods_ready.md",
    ),
    check=_check,
)
