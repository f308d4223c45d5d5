"""Node groups: Karpenter NodePools, AKS node pools, and nodes that exist."""
