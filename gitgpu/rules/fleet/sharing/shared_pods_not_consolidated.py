"""Pods that share GPUs each get a GPU at first, and need consolidation to share one."""

from collections.abc import Iterator
from itertools import product

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written, pool_place
from gitgpu.objects.workload.known_kinds import ENDING
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Karpenter pools of services whose GPUs are shared, and whose nodes are removed only if they are empty."""
    serving: set[tuple[str, str]] = set()
    for workload in inputs.workloads:
        # Jobs end by themselves.
        if workload.target_kind not in ENDING:
            for pool in inputs.pools_named(workload):
                serving.update(product([pool.name], pool.clusters))
    for pool in inputs.nodepools:
        is_never_consolidated = pool.disruption["consolidationPolicy"] == "WhenEmpty"
        if is_never_consolidated and pool.shares > 1 and not serving.isdisjoint(product([pool.name], pool.clusters)):
            message = (
                f"pods that arrive together each get a whole GPU that could hold {pool.shares}, "
                "and such nodes are never consolidated"
            )
            remedy = "set consolidationPolicy: WhenEmptyOrUnderutilized"
            origin, where = pool_place(pool, "disruption", "consolidationPolicy")
            yield Finding(origin, where if is_written(origin, where) else ("spec", "partition"), message, remedy)


RULE = Rule(
    code="PRT007",
    name="shared-pods-not-consolidated",
    severity=Severity.WARNING,
    summary="Pods that share GPUs get more nodes than they need, and these nodes are never consolidated.",
    help="Karpenter plans a node by the GPUs of its size, and counts time-slicing replicas, MPS clients and MIG "
    "instances only after the node advertises them. Four pods that arrive together get four GPUs, even if one GPU "
    "holds four pods. With WhenEmpty, each node stays as long as one of its pods runs. With "
    "WhenEmptyOrUnderutilized, Karpenter moves the pods onto fewer nodes, which restarts them. The limits of the "
    "pool bound the number of nodes meanwhile. Jobs are not reported, because they end by themselves.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)
