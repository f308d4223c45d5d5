"""AKS Automatic: what it refuses, and what it does itself."""

PREFIX = "AUT"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools", "workloads"})
