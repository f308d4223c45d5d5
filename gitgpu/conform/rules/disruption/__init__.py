"""Disruption: budgets of NodePools, PodDisruptionBudgets, pods that outlive their nodes."""
