"""The priorities of teams: for Kueue, or without it for the scheduler of Kubernetes."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import KUEUE_V1BETA2
from gitgpu.model.names.kinds import PRIORITY_CLASS, WORKLOAD_PRIORITY_CLASS
from gitgpu.plan.decided.cluster import ClusterPlan

OF_KUEUE = (KUEUE_V1BETA2, WORKLOAD_PRIORITY_CLASS.kind)
OF_KUBERNETES = (f"{PRIORITY_CLASS.group}/v1", PRIORITY_CLASS.kind)


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A class for each priority of each team."""
    api, kind = OF_KUEUE if plan.queues.has_kueue else OF_KUBERNETES
    for queue in plan.queues.teams:
        for name, value in queue.team.priorities.items():
            meta = {"name": f"{queue.name}-{name}"}
            body = {"apiVersion": api, "kind": kind, "metadata": meta, "value": value}
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, queue.team.origin.mark)


EMITTER = Emitter(PRIORITY_CLASS.kind, emit)
