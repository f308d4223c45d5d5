"""Queries: the metrics that a workload scales on."""
