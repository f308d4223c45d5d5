"""Clusters: region, Kubernetes version, network, resource ID."""
