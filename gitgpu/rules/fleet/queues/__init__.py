"""Queues: Kueue, which AKS manages, and the guard of teams."""

PREFIX = "QUE"  # of the codes of new rules
KINDS = frozenset({"clusters", "models", "pools", "teams", "workloads"})
