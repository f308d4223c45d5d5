"""RDMA: InfiniBand between nodes."""
