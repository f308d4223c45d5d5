"""A pool needs a taint that keeps pods without GPUs off its nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule

HARD = ("NoSchedule", "NoExecute")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose nodes accept any pod. A pool that has only spot nodes has the spot taint."""
    for pool in inputs.pools:
        if pool.has_spot_taint or any(taint.effect in HARD for taint in pool.taints):
            continue
        message = "the pool has no taint with effect NoSchedule or NoExecute, so pods without GPUs can run on its nodes"
        remedy = "set taints: [{key: sku, value: gpu, effect: NoSchedule}]; gitgpu's patches tolerate it"
        yield Finding(*pool_place(pool, "taints"), message, remedy)


RULE = Rule(
    code="SCH001",
    name="pool-without-taint",
    twin="NPL015",
    severity=Severity.WARNING,
    summary="A pool has no taint that keeps pods without GPUs off its nodes.",
    help="Among NodePools of equal weight, Karpenter tries them in reverse alphabetical order, regardless of their "
    "cost. A pod that requests no GPU then starts a GPU node as soon as the pool fits.",
    sources=(
        "https://learn.microsoft.com/azure/aks/best-practices-gpu",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/utils/nodepool/nodepool.go",
    ),
    check=_check,
)
