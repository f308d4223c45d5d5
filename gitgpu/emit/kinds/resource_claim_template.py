"""What each pod of a workload claims. The classes that it names come with the DRA driver's chart, or with AKS."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.claims import claim_template
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ResourceClaimTemplate for each claim of a workload's pods."""
    for workload in plan.workloads:
        for claim in workload.claims:
            body = claim_template(claim, workload.workload.namespace)
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, workload.workload.origin.mark)


EMITTER = Emitter(RESOURCE_CLAIM_TEMPLATE.kind, emit)
