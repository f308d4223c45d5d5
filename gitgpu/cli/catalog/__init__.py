"""`gitgpu catalog`: its subcommands."""
