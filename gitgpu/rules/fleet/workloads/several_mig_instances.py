"""A pod that requests several MIG instances, although a process uses only one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose pods request more than one instance."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload) if workload.gpus > 1 else ()
        # With the mixed strategy and without mig, the pod requests whole GPUs.
        names = [pool.name for pool in pools if pool.mig and (pool.mig.single or workload.mig)]
        if names:
            message = (
                f"a pod requests {workload.gpus} instances of pool {join_names(names)}, but a process uses only one"
            )
            remedy = "set gpus: 1, and use a larger profile or more replicas"
            yield Finding(workload.origin, ("spec", "gpus"), message, remedy)


RULE = Rule(
    code="PRT010",
    name="several-mig-instances",
    twin="POD103",
    severity=Severity.WARNING,
    summary="A pod requests several MIG instances.",
    help="A process sees one MIG instance through CUDA, and instances cannot communicate as GPUs do. Several instances "
    "help only a pod that runs several processes and gives each its own instance.",
    sources=("https://docs.nvidia.com/datacenter/tesla/mig-user-guide/mig-device-names.html",),
    check=_check,
)
