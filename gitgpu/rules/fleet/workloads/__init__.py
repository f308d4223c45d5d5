"""Workloads: what a workload needs and what its pools offer."""

PREFIX = "SCH"  # of the codes of new rules
KINDS = frozenset({"models", "workloads"})
