"""`gitgpu lsp`: the protocol, the open files, and the projects that they belong to."""
