"""Clusters: region, Kubernetes version, network, resource ID."""

PREFIX = "CLU"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools", "workloads"})
