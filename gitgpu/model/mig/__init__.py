"""MIG: layouts of a GPU, their resource names, and what AKS calls them."""
