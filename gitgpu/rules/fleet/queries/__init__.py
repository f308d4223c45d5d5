"""Queries: the metrics that a workload scales on."""

KINDS = frozenset({"clusters", "models", "workloads"})
