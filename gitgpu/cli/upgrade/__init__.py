"""`gitgpu upgrade`: the pins that it writes, and the notes about them."""
