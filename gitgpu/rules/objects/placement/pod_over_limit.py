"""A pod whose node would exceed the limits of the NodePool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.quantity import FORM, quantity
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.offers import limiting_resource
from gitgpu.objects.workload.placement import cases, large_enough, within_limits
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        fits = () if case.is_open else large_enough(case, objects)
        offer = next((large for large in fits if not _is_off(large.pool)), None)
        if offer and not within_limits(case, objects):
            sku = offer.skus[0]
            name = limiting_resource(offer.pool, sku)
            limit = f"NodePool {offer.pool.name} allows {offer.pool.limits[name]} of {name}"
            message = f"the smallest node for this pod, {sku.name}, exceeds a limit: {limit}"
            remedy = f"increase spec.limits of NodePool {offer.pool.name}, or request less"
            yield Finding(case.pod.item, case.pod.pointer, message, remedy)


def _is_off(pool: NodePool) -> bool:
    """Whether a limit of 0 switches the NodePool off on purpose. It can still have nodes."""
    return any(FORM.match(str(limit)) and quantity(str(limit)) == 0 for limit in pool.limits.values())


RULE = Rule(
    code="POD008",
    name="pod-over-limit",
    severity=Severity.ERROR,
    summary="Every size that is large enough for a pod exceeds the limits of its NodePool.",
    help="A limit counts whole nodes. Karpenter excludes every size that would exceed it before it considers the pod.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
    ),
    check=_check,
)
