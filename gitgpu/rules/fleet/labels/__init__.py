"""Labels, taints, tags and names that a pool gives its nodes; metadata of pools and workloads."""

KINDS = frozenset({"pools", "workloads", "models"})
