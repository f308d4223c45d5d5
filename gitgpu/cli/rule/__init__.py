"""`gitgpu rule`: its subcommands."""
