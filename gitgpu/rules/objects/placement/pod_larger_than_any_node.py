"""A pod that is larger than any node of the NodePools that could accept it."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import gpu_devices
from gitgpu.objects.workload.node_constraints import request_place
from gitgpu.objects.workload.offers import Offer
from gitgpu.objects.workload.placement import Case, cases, large_enough, with_resource
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.allocatable import allocatable, amount_text, insufficient


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        # POD013 reports a resource that no node has.
        if not case.is_open and with_resource(case, objects) and not large_enough(case, objects):
            yield _finding(case, objects)


def _finding(case: Case, objects: Objects) -> Finding:
    requested, names = case.pod.requests(), frozenset(gpu_devices(case.pod, objects))
    best = objects.once(("largest size", case.terms, names), lambda: _largest(with_resource(case, objects)))
    name = insufficient(best, requested)
    amount = allocatable(best)[name] or Decimal(0)
    have = f"the largest size, {best.name}, has {amount_text(name, amount)}"
    total = best.row["memoryGiB"] if name == "memory" else None
    share = f" of its {total} GiB" if total else ""
    wanted = amount_text(name, requested[name])
    message = f"the pod requests {wanted} of {name}, more than any node has: {have}{share} for pods"
    remedy = "allow sizes that have it in a NodePool"
    if amount:
        remedy = f"request {amount_text(name, amount)} or less, or allow larger sizes in a NodePool"
    return Finding(case.pod.item, request_place(case.pod, name), message, remedy)


def _largest(offers: Iterable[Offer]) -> Sku:
    """The size with the most GPUs; of several, that with the most memory."""
    skus = chain.from_iterable(offer.skus for offer in offers)
    return max(skus, key=lambda sku: (sku.counted_gpus or 0, sku.memory_gib or 0))


RULE = Rule(
    code="POD006",
    name="pod-larger-than-any-node",
    twin="SCH009",
    severity=Severity.ERROR,
    summary="A pod requests more than any node of its NodePools has available for pods.",
    help="Pods cannot use all resources of a size. Karpenter subtracts 7.5% of the memory for the hypervisor, "
    "and then what the kubelet reserves, which is a quarter on small sizes. DaemonSets on the node also need a part.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-resource-reservations",
    ),
    check=_check,
)
