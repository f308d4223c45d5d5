"""Helm charts: the values that gitgpu sets, why it sets them, and the releases that use them."""
