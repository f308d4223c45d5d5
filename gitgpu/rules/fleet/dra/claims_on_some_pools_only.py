"""A workload requests its GPUs in the same way on all its pools of a cluster."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_with_place, stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import uses
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with pools of both allocations on a cluster."""
    for use in uses(inputs):
        if use.claimed and use.counted:
            where = stack_with_place(use.cluster, "allocation")
            claimed = [pool.name for pool in use.claimed]
            counted = [pool_with_place(pool, "driver") for pool in use.counted]
            message = (
                f"on {where}, pods get GPUs of {join_names(claimed)} with claims, "
                f"but those of {join_names(counted)} from the device plugin"
            )
            remedy = "keep pools with the same allocation, and use another GpuWorkload for the others"
            yield Finding(use.workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="DRA005",
    name="claims-on-some-pools-only",
    severity=Severity.ERROR,
    summary="A workload gets GPUs through claims on some pools and from the device plugin on other pools of the same "
    "cluster.",
    help="A pod requests GPUs with a ResourceClaim or as an extended resource. With allocation: dra, "
    "the DRA driver does not serve AKS-managed GPU nodes or nodes with driver: none; with aks-dra, it serves only the "
    "former. These pods would never run on the other nodes.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/README.md",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
    ),
    check=_check,
)
