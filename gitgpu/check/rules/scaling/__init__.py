"""Scaling: how KEDA or an HPA scales a workload."""
