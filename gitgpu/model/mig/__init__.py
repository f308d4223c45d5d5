"""MIG: layouts of a GPU, their resource names, and their names in AKS."""
