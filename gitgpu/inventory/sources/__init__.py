"""The formats that `gitgpu import` reads, one module each. It exports SOURCE; documents are recognised by content."""
