"""Spot nodes and their taint: AKS writes it in node pools of its own, gitgpu on pools that hold nothing else."""

from gitgpu.model.fleet import Pool, Taint

SPOT = Taint("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule")


def only_spot(pool: Pool) -> bool:
    """Whether all nodes of the pool are spot nodes."""
    return pool.capacity == ("spot",)
