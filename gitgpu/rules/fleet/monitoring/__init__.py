"""Monitoring: DCGM exporter, Prometheus, Container insights, node health."""

PREFIX = "MET"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})
