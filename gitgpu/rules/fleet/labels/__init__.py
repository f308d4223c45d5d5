"""Labels, taints, tags and names that a pool gives its nodes; metadata of pools and workloads."""

PREFIX = "SCH"  # of the codes of new rules
KINDS = frozenset({"pools", "workloads", "models"})
