"""AKS node pools in every spelling: ManagedClustersAgentPool, AgentPool, and the profiles of a cluster."""
