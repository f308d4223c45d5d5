"""`gitgpu outdated`."""
