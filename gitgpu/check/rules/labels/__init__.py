"""Labels, taints, tags and names that a pool gives its nodes."""

KINDS = frozenset({"pools"})
