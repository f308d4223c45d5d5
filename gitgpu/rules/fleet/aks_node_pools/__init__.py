"""AKS node pools: pools of the cluster autoscaler."""

KINDS = frozenset({"clusters", "pools"})
