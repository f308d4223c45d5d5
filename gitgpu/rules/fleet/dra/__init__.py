"""DRA: GPUs that pods request through ResourceClaims."""

KINDS = frozenset({"clusters", "pools", "models", "workloads"})
