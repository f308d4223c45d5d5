"""`gitgpu rule show`."""
