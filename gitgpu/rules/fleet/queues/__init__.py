"""Queues: Kueue, which AKS manages."""

PREFIX = "QUE"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})
