"""Kueue's ClusterQueues, one for each team, and the Cohort in which the teams borrow from each other."""

from collections.abc import Iterator, Mapping

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import KUEUE_V1BETA2
from gitgpu.model.names.kinds import CLUSTER_QUEUE, COHORT
from gitgpu.model.names.labels import NAMESPACE_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.queues import Amount, Queues, TeamQueue
from gitgpu.plan.queues import CHECK, COHORT_OF_TEAMS

# Kueue admits no pod that requests a resource which its queue does not cover. These amounts limit nothing.
UNLIMITED = {"cpu": "1000000", "memory": "1Pi", "ephemeral-storage": "1Pi"}
NONE = Amount(0, 0, 0)


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The cohort, and the queue of each team."""
    if plan.queues.has_kueue and plan.queues.teams:
        cohort = {"apiVersion": KUEUE_V1BETA2, "kind": COHORT.kind, "metadata": {"name": COHORT_OF_TEAMS}, "spec": {}}
        yield Manifest(plan.cluster.name, Layer.WORKLOADS, cohort, plan.mark)
        for queue in plan.queues.teams:
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, _body(queue, plan.queues), queue.team.origin.mark)


def _body(queue: TeamQueue, queues: Queues) -> Body:
    namespace_term = {"key": NAMESPACE_LABEL, "operator": "In", "values": sorted(queue.team.namespaces)}
    spec: Body = {
        "cohortName": COHORT_OF_TEAMS,
        "namespaceSelector": {"matchExpressions": [namespace_term]},
        "resourceGroups": [_group(queue, queues)],
        # A team gets its own quota back, and its urgent workloads start before the others.
        "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
    }
    if queue.provisioned:
        checks = [{"name": CHECK, "onFlavors": list(queue.provisioned)}]
        spec["admissionChecksStrategy"] = {"admissionChecks": checks}
    if queue.team.fair_share is not None:
        spec["fairSharing"] = {"weight": f"{queue.team.fair_share:g}"}
    return {"apiVersion": KUEUE_V1BETA2, "kind": CLUSTER_QUEUE.kind, "metadata": {"name": queue.name}, "spec": spec}


def _group(queue: TeamQueue, queues: Queues) -> Body:
    """All flavors are in one group, because a resource, such as cpu, can be in one group only."""
    flavors = [
        {"name": name, "resources": _resources(amounts, queue, queues)} for name, amounts in queue.amounts.items()
    ]
    return {"coveredResources": [*queue.resources, *queues.others], "flavors": flavors}


def _resources(amounts: Mapping[str, Amount], queue: TeamQueue, queues: Queues) -> list[Body]:
    """An amount of every covered resource, in the same order: none of those that the pool does not have."""
    counted = [_resource(name, amounts.get(name, NONE)) for name in queue.resources]
    return [*counted, *({"name": name, "nominalQuota": UNLIMITED.get(name, "1000000")} for name in queues.others)]


def _resource(name: str, amount: Amount) -> Body:
    body: Body = {"name": name, "nominalQuota": str(amount.nominal)}
    if amount.borrow is not None:
        body["borrowingLimit"] = str(amount.borrow)
    if amount.lend is not None:
        body["lendingLimit"] = str(amount.lend)
    return body


EMITTER = Emitter(CLUSTER_QUEUE.kind, emit)
