"""Converts running NodePools, node classes and AKS node pools to keys of GpuPools."""
