"""Workloads: what a workload needs and what its pools offer."""

KINDS = frozenset({"models", "workloads"})
