"""`gitgpu version`."""
