"""`.gitgpu.yaml` and `[tool.gitgpu]` of pyproject.toml: which one applies, and what it may contain."""
