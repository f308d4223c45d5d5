"""MIG: GPUs divided into instances."""
