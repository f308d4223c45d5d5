"""DRA: GPUs that pods ask for by ResourceClaim."""

KINDS = frozenset({"clusters", "pools", "models", "workloads"})
