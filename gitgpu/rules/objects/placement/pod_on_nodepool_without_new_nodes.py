"""A pod whose only NodePools have a limit of 0."""

from collections.abc import Iterator, Sequence
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.offers import Offer, limiting_resource
from gitgpu.objects.workload.placement import cases, large_enough
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        if case.is_open:
            continue
        offers = large_enough(case, objects)
        # Equal cases share their offers, so these are compared once.
        names = objects.once(("pools without new nodes", id(offers)), partial(_without_new_nodes, offers))
        if names:
            message = f"the pod fits only NodePools whose limit is 0 ({names}), so it gets no new node"
            yield Finding(case.pod.item, case.pod.pointer, message, "raise the limit, or choose another NodePool")


def _without_new_nodes(offers: Sequence[Offer]) -> str:
    """The names of the NodePools if none of them starts a node; "" if one does."""
    return join_names([offer.pool.name for offer in offers]) if all(map(_starts_none, offers)) else ""


def _starts_none(offer: Offer) -> bool:
    """Whether a limit of 0 excludes each of the sizes."""
    exceeded = [offer.pool.limits.get(limiting_resource(offer.pool, sku)) for sku in offer.skus]
    return all(limit is not None and quantity(limit) == 0 for limit in exceeded)


RULE = Rule(
    code="POD106",
    name="pod-on-nodepool-without-new-nodes",
    severity=Severity.WARNING,
    summary="Every NodePool that could run a pod has a limit of 0.",
    help="With a limit of 0, Karpenter does not start a node. The pod runs only if an existing node has room.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
    ),
    check=_check,
)
