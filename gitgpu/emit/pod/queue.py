"""The labels with which a workload waits in the queue of its team."""

from gitgpu.emit.emitter import Body
from gitgpu.model.names.labels import QUEUE_LABEL, QUEUE_PRIORITY_LABEL
from gitgpu.plan.decided.cluster import WorkloadPlan


def queue_metadata(workload: WorkloadPlan) -> Body:
    """The metadata of an object whose pods wait in a queue; {} for one without a queue."""
    labels = queue_labels(workload)
    return {"labels": labels} if labels else {}


def queue_labels(workload: WorkloadPlan) -> Body:
    """The labels that name the queue of a workload, and its priority there; {} if it has no queue."""
    if not workload.queue:
        return {}
    priority = {QUEUE_PRIORITY_LABEL: workload.priority} if workload.priority else {}
    return {QUEUE_LABEL: workload.queue, **priority}
