"""The steps of `gitgpu.model.link`: duplicates, differences between clusters, pools, workloads."""
