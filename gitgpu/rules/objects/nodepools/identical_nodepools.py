"""Two GPU NodePools with the same weight that accept the same pods."""

from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.syntax.quantity import quantity
from gitgpu.model.syntax.requirement import Requirement
from gitgpu.objects.node.node_pools import NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_Offer: TypeAlias = tuple[int, frozenset[tuple[str, str, str]], frozenset[Requirement]]


def _check(objects: Objects) -> Iterator[Finding]:
    terms = chain.from_iterable(pod.terms() for pod in pods(objects))
    # Pods that select a NodePool by its name distinguish the two.
    if not objects.closed or any(NODEPOOL_LABEL in term for term in terms):
        return
    first: dict[_Offer, NodePool] = {}
    # Karpenter tries names in descending order, so the first one here is the one that it uses.
    for pool in sorted(node_pools(objects), key=lambda pool: pool.name, reverse=True):
        # A pool that is off or of fixed size leaves new pods to its twin.
        if not pool.for_gpus or _is_off(pool):
            continue
        twin = first.setdefault(_offer(pool), pool)
        if twin.name != pool.name:  # CNF008 reports two NodePools with one name
            message = f"NodePool '{twin.name}' accepts the same pods with the same weight, and Karpenter tries it first"
            remedy = "give one of the two a higher weight, or different labels or taints"
            yield Finding(pool.item, ("metadata", "name"), message, remedy)


def _offer(pool: NodePool) -> _Offer:
    taints = ((taint.get("key", ""), taint.get("value") or "", taint.get("effect", "")) for taint in pool.taints)
    return reach(pool.item.body, "spec", "weight") or 0, frozenset(taints), frozenset(pool.together.values())


def _is_off(pool: NodePool) -> bool:
    """Whether it can have no nodes at all, or has a fixed number of them."""
    return reach(pool.item.body, "spec", "replicas") is not None or any(map(_is_zero, pool.limits.values()))


def _is_zero(amount: str | int) -> bool:
    try:
        return quantity(amount) == 0
    except ValueError:
        return False


RULE = Rule(
    code="NPL026",
    name="identical-nodepools",
    severity=Severity.WARNING,
    summary="Two GPU NodePools have the same weight, labels, requirements and taints.",
    help="Both accept the same pods. Karpenter first tries the one whose name is last in alphabetical order, and uses "
    "the other only when that one is full. So the names decide which AKSNodeClass, limits and budgets apply.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools#node-pool-weights",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/utils/nodepool/nodepool.go",
    ),
    check=_check,
)
