"""`gitgpu completion`: the script for a shell, and the words that it offers."""
