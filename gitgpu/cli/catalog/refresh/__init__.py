"""`gitgpu catalog refresh` and the files that it reads."""
