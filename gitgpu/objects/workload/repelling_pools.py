"""NodePools with taints that keep a pod from nodes that would otherwise fit it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import tolerations_of
from gitgpu.objects.workload.offers import Offer
from gitgpu.objects.workload.placement import Case, within_limits
from gitgpu.schedule.taint import untolerated_taints


class Repelling(NamedTuple):
    """An offer, and the taints of its NodePool that a pod does not tolerate."""

    offer: Offer
    taints: Sequence[Mapping[str, Any]]


def with_untolerated_taints(case: Case, objects: Objects) -> tuple[Repelling, ...]:
    """The offers of `within_limits`, each with the taints that the pod does not tolerate, the fewest first.

    Empty if the pod tolerates all taints of one of them.
    """
    tolerations = tolerations_of(case.pod, objects)
    key = ("with_untolerated_taints", case.terms, frozenset(case.pod.requests().items()), repr(tolerations))
    return objects.once(key, lambda: _with_untolerated_taints(within_limits(case, objects), tolerations))


def _with_untolerated_taints(
    offers: Iterable[Offer], tolerations: Sequence[Mapping[str, Any]]
) -> tuple[Repelling, ...]:
    refused = []
    for offer in offers:
        taints = untolerated_taints(offer.pool.taints, tolerations)
        if not taints:
            return ()
        refused.append(Repelling(offer, taints))
    return tuple(sorted(refused, key=lambda repelling: len(repelling.taints)))
