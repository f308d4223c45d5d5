"""RDMA: InfiniBand between nodes."""

from gitgpu.rules.kinds import PODS, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, "mellanox.com/NicClusterPolicy"],
    first={
        "nic_policy_with_wrong_name": ("mellanox.com/NicClusterPolicy",),
        "rdma_resource_not_in_nic_policy": ("mellanox.com/NicClusterPolicy",),
        "rdma_without_locked_memory": PODS,
        "selector_of_physical_nics": ("mellanox.com/NicClusterPolicy",),
    },
)
