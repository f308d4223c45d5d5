"""Nodes: AKS node pools with the names of Azure's API, and the lines in the spec that set their values."""
