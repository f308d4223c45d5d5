"""The quota of a team without Kueue: a ResourceQuota in each of its namespaces, which counts no nodes."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import RESOURCE_QUOTA
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.queues import Queues, TeamQueue


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The sum of each resource over the pools of the quota."""
    for queue in () if plan.queues.has_kueue else plan.queues.teams:
        for namespace in queue.team.namespaces:
            body = {
                "apiVersion": "v1",
                "kind": RESOURCE_QUOTA.kind,
                "metadata": {"name": queue.name, "namespace": namespace},
                "spec": {"hard": _hard(queue, plan.queues)},
            }
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, queue.team.origin.mark)


def _hard(queue: TeamQueue, queues: Queues) -> dict[str, str]:
    totals: dict[str, int] = {}
    for amounts in queue.amounts.values():
        for name, amount in amounts.items():
            key = f"{name}.deviceclass.resource.k8s.io/devices" if name in queues.claimed else f"requests.{name}"
            totals[key] = totals.get(key, 0) + amount.nominal
    return {key: str(total) for key, total in sorted(totals.items())}


EMITTER = Emitter(RESOURCE_QUOTA.kind, emit)
