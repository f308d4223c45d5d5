"""The minimum and maximum replicas of workloads that scale."""

from collections.abc import Iterator

from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs


def unscalable(inputs: Inputs) -> Iterator[tuple[Workload, int, int]]:
    """Workloads whose minimum leaves nothing to scale, with their minimum and maximum.

    KEDA accepts a minimum that equals the maximum (SCL015) and rejects a larger one (SCL002).
    """
    for workload in inputs.workloads:
        scaling = workload.scaling
        if scaling and scaling.min >= scaling.max:
            yield workload, scaling.min, scaling.max
