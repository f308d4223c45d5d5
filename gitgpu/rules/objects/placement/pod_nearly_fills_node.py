"""A pod that requests nearly everything the largest node has."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import request_place
from gitgpu.objects.workload.offers import Offer
from gitgpu.objects.workload.placement import Case, cases, large_enough, remaining
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.allocatable import NEAR, allocatable, amount_text, insufficient


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        # POD006 reports pods that do not fit at all.
        fits, requests = () if case.is_open else large_enough(case, objects), case.pod.requests()
        if fits and not _comfortable(case, objects):
            sku = fits[-1].skus[-1]
            name = insufficient(sku, requests, NEAR)
            left = amount_text(name, allocatable(sku)[name] or requests[name])
            message = (
                f"the pod may not fit: it requests {amount_text(name, requests[name])} of the {left} of {name} "
                f"that Karpenter expects {sku.name} to have for pods, and DaemonSets need a part of it"
            )
            yield Finding(case.pod.item, request_place(case.pod, name), message, f"request a few percent less {name}")


def _comfortable(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """The offers with the sizes that have more than a little left, computed once for pods with the same requests."""
    requests = case.pod.requests()
    compute = partial(remaining, large_enough(case, objects), lambda _, sku: not insufficient(sku, requests, NEAR))
    return objects.once(("comfortable", case.terms, frozenset(requests.items())), compute)


RULE = Rule(
    code="POD007",
    name="pod-nearly-fills-node",
    severity=Severity.WARNING,
    summary="A pod requests nearly everything that Karpenter expects a node to have.",
    help="Karpenter estimates the capacity of a node, and the kubelet can report less. If the pod needs more than "
    "about 98% of the estimate, the node may start without room for the pod, and Karpenter starts another one.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1761",
    ),
    check=_check,
)
