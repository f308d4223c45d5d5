"""Queues: which workloads Kueue admits, and what the others wait for."""
