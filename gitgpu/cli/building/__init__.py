"""Parts of `gitgpu build`: its arguments, the stamp of its input, and pools that it must not remove."""
