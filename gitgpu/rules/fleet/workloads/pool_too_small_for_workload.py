"""A pool whose nodes have fewer GPUs than a pod of the workload requests."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.workloads._gpus_of_node import gpus_of_node
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that are too small, if another one is large enough. If none is, SCH009 reports it."""
    for workload in inputs.workloads:
        maximum = {pool.name: _maximum(pool, workload) for pool in inputs.pools_of(workload)}
        large_enough = any(room is None or room >= workload.gpus for room in maximum.values())
        if not large_enough:
            continue
        for index, name in enumerate(workload.pools):
            room = maximum.get(name)
            if room is not None and room < workload.gpus:
                message = (
                    f"a pod requests {count_text(workload.gpus, 'GPU')}, but a node of pool {name} has at most {room}"
                )
                remedy = f"remove {name} from pools, or lower gpus"
                yield Finding(workload.origin, ("spec", "pools", index), message, remedy)


def _maximum(pool: Pool, workload: Workload) -> int | None:
    """The GPUs or MIG instances of the largest node; None if a size is unknown, or the GPUs are shared."""
    counts = [gpus_of_node(sku, pool, workload) for sku in pool.skus]
    certain = [count for count in counts if count]  # PRT008 reports a pool that has nothing for the pods
    return max(certain, default=None) if len(certain) == len(counts) and not pool.sharing.way else None


RULE = Rule(
    code="SCH020",
    name="pool-too-small-for-workload",
    severity=Severity.WARNING,
    summary="A workload names a pool whose nodes have fewer GPUs than one of its pods requests.",
    help="All GPUs of a pod are on one node. The pods never run in that pool, so it is not a fallback when the "
    "other pools are full.",
    sources=("https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",),
    check=_check,
)
