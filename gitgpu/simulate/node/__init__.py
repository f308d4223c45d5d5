"""Node groups: NodePools of Karpenter, node pools of AKS, and nodes that exist."""
