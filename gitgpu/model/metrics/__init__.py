"""PromQL queries, and what the metrics in them mean for GPUs."""
