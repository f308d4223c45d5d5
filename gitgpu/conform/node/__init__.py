"""NodePools, AKSNodeClasses and node pools of AKS as rules read them."""
