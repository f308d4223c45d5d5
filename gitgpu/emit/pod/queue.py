"""The labels with which a workload waits in the queue of its team."""

from gitgpu.emit.emitter import Body
from gitgpu.model.names.labels import QUEUE_LABEL, QUEUE_PRIORITY_LABEL
from gitgpu.plan.decided.cluster import WorkloadPlan


def queued(workload: WorkloadPlan) -> Body:
    """The metadata of an object whose pods wait in a queue; {} for one without a queue."""
    if not workload.queue:
        return {}
    priority = {QUEUE_PRIORITY_LABEL: workload.priority} if workload.priority else {}
    return {"labels": {QUEUE_LABEL: workload.queue, **priority}}
