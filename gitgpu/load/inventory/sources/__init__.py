"""The formats that `gitgpu import` reads: a module each, which exports SOURCE and is found by its content."""
