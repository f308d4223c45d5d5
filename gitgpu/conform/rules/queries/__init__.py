"""PromQL queries over GPU metrics."""
