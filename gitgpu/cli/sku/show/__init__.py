"""`gitgpu sku show`."""
