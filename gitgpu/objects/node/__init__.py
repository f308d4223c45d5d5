"""NodePools, AKSNodeClasses and AKS node pools as rules read them."""
