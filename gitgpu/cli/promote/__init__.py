"""`gitgpu promote`, and the keys that it copies."""
