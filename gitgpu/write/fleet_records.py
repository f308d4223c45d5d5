"""The records of clusters, from their spec."""

from collections.abc import Sequence

from gitgpu.model.aks_node_pool import azure_name
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.write.cluster_record import ClusterRecord, RecordedPool


def record_of(inputs: Inputs, cluster: Cluster) -> ClusterRecord:
    """The record of a cluster, from its spec."""
    return ClusterRecord(cluster.kubernetes, {pool.name: _recorded_pool(pool) for pool in inputs.pools_on(cluster)})


def records_of(inputs: Inputs, clusters: Sequence[str]) -> dict[str, ClusterRecord]:
    """The records of these clusters."""
    return {cluster.name: record_of(inputs, cluster) for cluster in inputs.clusters_named(clusters)}


def _recorded_pool(pool: Pool) -> RecordedPool:
    label = f"{NODEPOOL_LABEL}={pool.name}" if pool.by_karpenter else f"{AGENTPOOL_LABEL}={azure_name(pool)}"
    return RecordedPool((label,), pool.retire)
