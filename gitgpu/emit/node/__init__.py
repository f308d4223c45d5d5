"""Nodes: node pools of AKS in the words of Azure's API, and the lines of the spec that decide about them."""
