"""Monitoring: DCGM exporter, Prometheus, Container insights, node health."""

KINDS = frozenset({"clusters", "pools"})
