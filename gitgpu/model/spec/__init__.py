"""The parts of a fleet's documents that `gitgpu.model.fleet` puts together: clusters, pools, workloads."""
