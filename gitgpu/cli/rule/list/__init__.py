"""`gitgpu rule list`."""
