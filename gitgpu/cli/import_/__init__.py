"""`gitgpu import`: running clusters, the fleet that they become, or its comparison with them."""
