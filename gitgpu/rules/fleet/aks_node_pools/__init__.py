"""AKS node pools: pools of the cluster autoscaler."""

PREFIX = "AGP"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})
