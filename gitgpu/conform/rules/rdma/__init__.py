"""RDMA: InfiniBand between nodes."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[*PODS, "mellanox.com/NicClusterPolicy"],
)
