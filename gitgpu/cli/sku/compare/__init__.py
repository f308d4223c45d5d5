"""`gitgpu sku compare`."""
