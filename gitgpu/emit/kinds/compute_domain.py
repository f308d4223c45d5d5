"""A domain of nodes connected by NVLink. Its controller creates the claim template for a channel in it."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import COMPUTE_DOMAIN
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ComputeDomain for each workload that requests one. With 0 nodes, each node joins when its pod arrives."""
    for workload in plan.workloads:
        if workload.claim and workload.claim.channel:
            body = {
                "apiVersion": "resource.nvidia.com/v1beta1",
                "kind": COMPUTE_DOMAIN.kind,
                "metadata": {"name": workload.workload.name, "namespace": workload.workload.namespace},
                "spec": {"numNodes": 0, "channel": {"resourceClaimTemplate": {"name": workload.claim.channel}}},
            }
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, workload.workload.origin.mark)


EMITTER = Emitter(COMPUTE_DOMAIN.kind, emit)
