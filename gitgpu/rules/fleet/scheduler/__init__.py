"""Scheduler: how the scheduler of AKS places GPU pods."""

PREFIX = "SDL"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})
