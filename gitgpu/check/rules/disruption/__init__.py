"""Disruption: budgets, expiry and consolidation of a pool."""
