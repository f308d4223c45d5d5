"""RDMA: InfiniBand between nodes."""

from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.rules.kinds import PODS, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, NIC_CLUSTER_POLICY],
    first={
        "nic_policy_with_wrong_name": (NIC_CLUSTER_POLICY,),
        "rdma_in_different_modes": (NIC_CLUSTER_POLICY,),
        "rdma_resource_not_in_nic_policy": (NIC_CLUSTER_POLICY,),
        "rdma_without_locked_memory": PODS,
        "selector_of_physical_nics": (NIC_CLUSTER_POLICY,),
    },
)
