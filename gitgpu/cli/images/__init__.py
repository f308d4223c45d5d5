"""`gitgpu images`."""
