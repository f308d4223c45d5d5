"""Azure Service Operator's object for a node pool of AKS, on clusters with the cluster autoscaler.

An autoscaled pool has no count: the operator sends its object to Azure again and again, and would overrule the
autoscaler. AKS wants a count of a pool that is new, so the runbook's node-pools.sh makes those, once. A pool that needs
a later version of Azure's API has no object: one without the field would say that the pool is to be without it.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.node.agent_pool import KIND, node_pool_manifests
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One object for each pool that the operator can make, on a cluster with the cluster autoscaler."""
    return node_pool_manifests(plan, beyond=False)


EMITTER = Emitter(KIND, emit)
