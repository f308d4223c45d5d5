"""`gitgpu lint`: its files, what it needs to check them, and its findings."""
