"""`gitgpu build`: its stamp, and what it writes."""
