"""What the pods of a workload ask for."""

from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.mig.layout import resource


def profile_resource(workload: Workload, pool: Pool) -> str:
    """The resource that stands for a workload's MIG profile on a pool; "" where it asks for GPUs."""
    return resource(workload.mig) if workload.mig and pool.mig and not pool.mig.single else ""
