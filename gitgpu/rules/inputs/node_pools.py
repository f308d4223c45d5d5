"""Pools that are AKS node pools: with the cluster autoscaler, or with a fixed number of nodes."""

from collections.abc import Iterator

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.inputs.clusters import pools_with_clusters

EXAMPLE = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  provisioner: cluster-autoscaler
  resourceId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu/providers/Microsoft.ContainerService/managedClusters/prod-swc
"""  # noqa: E501 - how the examples of rules begin


def node_pools(inputs: Inputs) -> Iterator[tuple[Pool, tuple[Cluster, ...]]]:
    """Every such pool with its clusters."""
    return ((pool, clusters) for pool, clusters in pools_with_clusters(inputs) if not pool.by_karpenter)


def windows_pools(inputs: Inputs) -> Iterator[tuple[Pool, tuple[Cluster, ...]]]:
    """Those of them whose nodes run Windows."""
    return ((pool, clusters) for pool, clusters in node_pools(inputs) if pool.windows)
