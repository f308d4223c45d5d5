"""`gitgpu diagnose`: the dump, and how its diagnosis is shown."""
