"""Scaling: how KEDA or an HPA scales a workload."""

PREFIX = "SCL"  # of the codes of new rules
KINDS = frozenset({"models", "workloads"})
