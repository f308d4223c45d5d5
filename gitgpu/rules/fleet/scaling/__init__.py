"""Scaling: how KEDA or an HPA scales a workload."""

KINDS = frozenset({"models", "workloads"})
