"""`gitgpu catalog refresh`: its files, and the rows that they result in."""
