"""`gitgpu build`: its arguments, what it is made from, and pools that it must not remove."""
