"""Monitors, PromQL queries and exported counters as rules read them."""
