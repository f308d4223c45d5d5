"""AKS node pools: with the cluster autoscaler, or with a fixed number of nodes."""

PREFIX = "AGP"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})
