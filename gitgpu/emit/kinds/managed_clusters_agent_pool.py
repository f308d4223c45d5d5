"""Azure Service Operator's object for an AKS node pool.

An autoscaled pool has no count: the operator sends its object to Azure repeatedly, and would override the autoscaler.
AKS requires a count for a new pool, so the runbook's node-pools.sh creates these pools once. A pool that needs a later
version of Azure's API has no object: an object without the new field would remove the setting.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.node.agent_pool import node_pool_manifests
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One object for each AKS node pool that the operator can create."""
    return node_pool_manifests(plan, beyond=False)


EMITTER = Emitter(MANAGED_CLUSTERS_AGENT_POOL.kind, emit)
