"""Parts of `gitgpu plan` and `gitgpu catalog diff`: the older side of a comparison, and both sides built."""
