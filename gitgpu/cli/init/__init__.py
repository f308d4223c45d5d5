"""`gitgpu init`: the starter fleet and its files."""
