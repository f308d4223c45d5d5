"""Kueue's LocalQueues: the queue of a team, in each of its namespaces."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import KUEUE_V1BETA2
from gitgpu.model.names.kinds import LOCAL_QUEUE
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A LocalQueue in each namespace of each team, with the name of the team."""
    for queue in plan.queues.teams if plan.queues.has_kueue else ():
        for namespace in queue.team.namespaces:
            body = {
                "apiVersion": KUEUE_V1BETA2,
                "kind": LOCAL_QUEUE.kind,
                "metadata": {"name": queue.name, "namespace": namespace},
                "spec": {"clusterQueue": queue.name},
            }
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, queue.team.origin.mark)


EMITTER = Emitter(LOCAL_QUEUE.kind, emit)
