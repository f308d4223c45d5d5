"""RDMA: InfiniBand between nodes."""

PREFIX = "RDM"  # of the codes of new rules
KINDS = frozenset({"pools", "models", "workloads"})
