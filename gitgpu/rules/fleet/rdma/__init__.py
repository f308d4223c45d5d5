"""RDMA: InfiniBand between nodes."""

KINDS = frozenset({"pools", "models", "workloads"})
