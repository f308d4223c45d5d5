"""Queries: the metrics that a workload scales on."""

PREFIX = "SCL"  # of the codes of new rules
KINDS = frozenset({"clusters", "models", "workloads"})
