"""A team that lends more than it has."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import quotas_on
from gitgpu.rules.fleet.teams._clusters import merge_clusters
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Entries of quotas on clusters with Kueue."""
    return merge_clusters(_found(inputs))


def _found(inputs: Inputs) -> Iterator[tuple[Cluster, Finding]]:
    for cluster in (cluster for cluster in inputs.clusters if cluster.stack.queues != "none"):
        for quota in quotas_on(inputs, cluster):
            entry = quota.entry
            if entry.lend is not None and entry.lend > entry.gpus:
                message = f"lend {entry.lend} is above gpus {entry.gpus}"
                remedy = "remove lend: by default, the team lends all of its gpus; or raise gpus"
                yield cluster, Finding(quota.team.origin, (*entry.place, "lend"), message, remedy)


RULE = Rule(
    code="TEA018",
    name="lend-above-quota",
    severity=Severity.ERROR,
    summary="A team lends more GPUs than its quota has.",
    help="Kueue's webhook rejects a ClusterQueue whose lendingLimit is above its nominalQuota.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/pkg/webhooks/clusterqueue_webhook.go",
    ),
    check=_check,
)
