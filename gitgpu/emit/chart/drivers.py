"""GPU Operator driver settings, the same in chart values and in an NVIDIADriver."""

from gitgpu.emit.emitter import Body
from gitgpu.plan.driver import BY_CLAIM

EVICTION = "NODE_LABEL_FOR_GPU_POD_EVICTION"  # names the node label for evictions before a driver change


def settings(*, direct: bool, claimed: bool) -> Body:
    """With `direct`, GPUs and NICs access each other's memory; with `claimed`, pods request GPUs by claim."""
    rdma: Body = {"rdma": {"enabled": True}} if direct else {}
    manager = {"manager": {"env": [{"name": EVICTION, "value": next(iter(BY_CLAIM))}]}} if claimed else {}
    return rdma | manager
