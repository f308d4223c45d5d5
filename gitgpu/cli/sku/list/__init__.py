"""`gitgpu sku list`, and its filter."""
