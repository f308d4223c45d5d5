"""A workload with CUDA on AMD GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with cuda and a pool of AMD GPUs."""
    for workload in inputs.workloads:
        pools = [pool for pool in inputs.pools_of(workload) if pool.manufacturer == "amd"]
        if workload.cuda and pools:
            names = join_names([pool_with_sizes_place(pool) for pool in pools])
            message = f"CUDA {workload.cuda} does not run on the AMD GPUs of pool {names}"
            remedy = "use a pool with NVIDIA GPUs, or build the image with ROCm and remove cuda"
            yield Finding(workload.origin, ("spec", "cuda"), message, remedy)


RULE = Rule(
    code="AMD005",
    name="cuda-on-amd-gpu",
    twin="POD104",
    severity=Severity.ERROR,
    summary="A workload with CUDA in its image may run on AMD GPUs.",
    help="CUDA runs only on NVIDIA GPUs, with NVIDIA's driver. Programs and images for AMD GPUs are built with ROCm.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://github.com/ROCm/k8s-device-plugin/blob/ed7646843003e8f0b6a0630346f01bb4d1ecff2e/docs/user-guide/examples.md",
    ),
    check=_check,
)
