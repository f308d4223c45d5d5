"""Rules for tests that are not rules of gitgpu, each with its examples in a YAML file next to it."""
