"""DRA: GPUs that pods request through ResourceClaims."""

PREFIX = "DRA"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools", "models", "workloads"})
