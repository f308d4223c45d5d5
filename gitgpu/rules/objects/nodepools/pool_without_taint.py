"""A GPU NodePool without a taint that keeps other pods away."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import SPEC, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import HARD


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        # PreferNoSchedule does not keep Karpenter from using the pool.
        if pool.for_gpus and not any(taint.get("effect") in HARD for taint in pool.taints):
            place = (*SPEC, "taints") if reach(pool.item.body, *SPEC, "taints") is not None else SPEC
            message = "no taint keeps pods without GPUs off the GPU nodes of this NodePool"
            remedy = "add taints: [{key: nvidia.com/gpu, effect: NoSchedule}] and tolerate it in GPU pods and agents"
            yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="NPL015",
    name="pool-without-taint",
    twin="SCH001",
    severity=Severity.WARNING,
    summary="A NodePool for GPUs has no taint with the effect NoSchedule or NoExecute.",
    help="Among NodePools with the same weight Karpenter first tries the name that is last in alphabetical order, "
    "regardless of its cost: gpu before default. A pod without GPUs then starts a GPU node, or keeps one running. "
    "Startup taints do not help, because Karpenter ignores them when it places pods.",
    sources=(
        "https://learn.microsoft.com/azure/aks/best-practices-gpu",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/utils/nodepool/nodepool.go",
    ),
    check=_check,
)
