"""`gitgpu schema`."""
