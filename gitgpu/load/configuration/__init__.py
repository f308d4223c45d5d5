"""`.gitgpu.yaml` and `[tool.gitgpu]` in pyproject.toml: which one applies, and what it may contain."""
