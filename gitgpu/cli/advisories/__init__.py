"""`gitgpu advisories`."""
