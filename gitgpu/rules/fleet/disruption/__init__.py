"""Disruption: budgets, expiry and consolidation of a pool."""

PREFIX = "DIS"  # of the codes of new rules
KINDS = frozenset({"pools"})
