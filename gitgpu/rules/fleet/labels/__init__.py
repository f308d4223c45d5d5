"""Labels, taints, tags and names that a pool gives its nodes; metadata of pools, workloads and teams."""

PREFIX = "SCH"  # of the codes of new rules
KINDS = frozenset({"pools", "workloads", "models", "teams"})
