"""Disruption: budgets, expiry and consolidation of a pool."""

KINDS = frozenset({"pools"})
