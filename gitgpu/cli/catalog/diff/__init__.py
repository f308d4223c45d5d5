"""`gitgpu catalog diff`: the older catalog, and the fleet with both catalogs."""
