"""Rows of a user's own catalog, as `gitgpu catalog refresh` writes them."""
