"""What each pod of a workload claims. The classes that it names come with the DRA driver's chart."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.claims import claim_template
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ResourceClaimTemplate for each workload that claims its GPUs."""
    for workload in plan.workloads:
        if workload.claim:
            body = claim_template(workload.claim, workload.workload.namespace)
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, workload.workload.origin.mark)


EMITTER = Emitter(RESOURCE_CLAIM_TEMPLATE.kind, emit)
