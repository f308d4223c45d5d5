"""The replicas between which a workload scales."""

from collections.abc import Iterator

from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs


def unscalable(inputs: Inputs) -> Iterator[tuple[Workload, int, int]]:
    """Workloads with a minimum that leaves nothing to scale, with their minimum and maximum.

    KEDA accepts a minimum that equals the maximum (SCL015) and refuses a larger one (SCL002).
    """
    for workload in inputs.workloads:
        scaling = workload.scaling
        if scaling and scaling.min >= scaling.max:
            yield workload, scaling.min, scaling.max
