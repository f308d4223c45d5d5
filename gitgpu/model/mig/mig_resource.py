"""The MIG resource that the pods of a workload request."""

from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.mig.layout import resource


def profile_resource(workload: Workload, pool: Pool) -> str:
    """The resource of a workload's MIG profile on a pool; "" if it requests GPUs."""
    return resource(workload.mig) if workload.mig and pool.mig and not pool.mig.single else ""
