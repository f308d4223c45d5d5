"""`gitgpu plan`."""
