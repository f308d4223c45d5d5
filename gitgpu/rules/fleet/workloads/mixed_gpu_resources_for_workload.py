"""A workload whose pools advertise GPUs under different resource names."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose pods cannot request the GPUs of all their pools."""
    for workload in inputs.workloads:
        names: dict[str, list[Pool]] = {}
        for pool in inputs.pools_of(workload):
            # A GPU that is not known may have any resource.
            resources = {pool.resource(sku) for sku in pool.skus if sku.gpu}
            if own := workload.mig_resource(pool):
                resources = {own}
            for resource in sorted(resources):
                names.setdefault(resource, []).append(pool)
        if len(names) > 1:
            shown = []
            for resource, pools in sorted(names.items()):
                shown.append(f"{resource} on {join_names([_with_place(pool) for pool in pools])}")
            message = f"its pools advertise {' and '.join(shown)}, but a container requests only one of them"
            kept = ", ".join(pool.name for pool in names[max(names)])
            remedy = f"keep the pools of one kind, such as pools: [{kept}], and create a GpuWorkload for the others"
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


def _with_place(pool: Pool) -> str:
    """The pool, with the place of its partition or its size."""
    return with_place(pool.name, pool.origin, ("spec", "partition") if pool.mig else sizes_place(pool))


RULE = Rule(
    code="SCH008",
    name="mixed-gpu-resources-for-workload",
    severity=Severity.ERROR,
    summary="A workload may run on pools whose GPUs have different resource names.",
    help="A container requests nvidia.com/gpu or amd.com/gpu, and its image is built for one of them. A pod that "
    "requests one never fits on a node with the other.",
    sources=(
        "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
        "https://learn.microsoft.com/azure/aks/use-amd-gpus",
    ),
    check=_check,
)
