"""`gitgpu sku`: its subcommands, and what they share."""
