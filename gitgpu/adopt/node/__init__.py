"""Node pools that run: NodePools, node classes and AKS node pools to the keys of a GpuPool."""
