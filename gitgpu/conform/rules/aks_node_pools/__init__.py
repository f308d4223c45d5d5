"""AKS node pools in every spelling: ManagedClustersAgentPool, AgentPool, and the profiles of a cluster."""

from gitgpu.conform.kinds import kinds

KINDS = kinds(
    about=[
        "containerservice.azure.com/MaintenanceConfiguration",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
    ],
)
