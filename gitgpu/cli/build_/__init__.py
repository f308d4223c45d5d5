"""`gitgpu build`: what it writes, and pools that it must not remove."""
