"""`gitgpu plan`, and what it compares with."""
