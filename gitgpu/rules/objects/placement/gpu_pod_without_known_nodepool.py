"""A GPU pod that none of the NodePools in the same files accepts."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import (
    Case,
    large_enough,
    refusal,
    supposed_cases,
    with_resource,
    within_limits,
)
from gitgpu.objects.workload.repelling_pools import with_untolerated_taints
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import taint_text


def _check(objects: Objects) -> Iterator[Finding]:
    for case in supposed_cases(objects):
        # Without a NodePool for GPUs here, all GPU pools are in other files.
        has_gpu_pools = any(pool.for_gpus for pool in node_pools(objects))
        reason = _reason(case, objects) if has_gpu_pools and not case.is_open else ""
        if reason:
            message = f"the pod stays Pending unless a pool outside these files accepts it: {reason}"
            remedy = "change the pod or a NodePool; use `--whole-cluster` if there are no other pools"
            yield Finding(case.pod.item, case.pod.pointer, message, remedy)


def _reason(case: Case, objects: Objects) -> str:
    """Why none of the known NodePools accepts the pod; "" if one does, or if another rule reports the reason."""
    names = objects.once("names of GPU pools", lambda: _gpu_pool_names(objects))
    if not case.agreeing:
        keys = refusal(case, objects).keys - {"*"}
        return f"it requires a different {' or '.join(sorted(keys))} than NodePool {names} has" if keys else ""
    # A pod for other GPUs than these is meant for a pool in other files.
    if not with_resource(case, objects):
        return ""
    if not large_enough(case, objects):
        return f"it requests more than a node of NodePool {names} has"
    if not within_limits(case, objects):
        return f"the limits of NodePool {names} do not allow a node that is large enough"
    offers = with_untolerated_taints(case, objects)
    if not offers:
        return ""
    offer, taints = offers[0]
    return f"it does not tolerate the taint {taint_text(taints[0])} of NodePool {offer.pool.name}"


def _gpu_pool_names(objects: Objects) -> str:
    return ", ".join(pool.name for pool in node_pools(objects) if pool.for_gpus)


RULE = Rule(
    code="POD043",
    name="gpu-pod-without-known-nodepool",
    severity=Severity.INFO,
    summary="None of the NodePools in the same files accepts a GPU pod, but there may be other pools.",
    help="The pod requires no label that only Karpenter nodes have, so a pool that is not in these files may accept "
    "it. Otherwise it stays Pending. With `--whole-cluster`, the rules POD001, POD002, POD003, POD006 and POD008 "
    "report the reason as an error.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/taints.go",
    ),
    check=_check,
)
