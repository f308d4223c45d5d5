"""The steps of `gitgpu.model.link`: which documents count, what differs between clusters, pools, workloads."""
