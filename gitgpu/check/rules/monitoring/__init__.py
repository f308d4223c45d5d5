"""Monitoring: DCGM exporter, Prometheus, Container insights, node health."""
