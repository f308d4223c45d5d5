"""A pod's rules about other pods: topology spread, pod affinity and pod anti-affinity, as Karpenter reads them.

Preferences count as requirements until they are dropped, in the order of
pkg/controllers/provisioning/scheduling/preferences.go of kubernetes-sigs/karpenter.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.simulate.pod.label_selectors import Counted, Kind, Rule, selector
from gitgpu.simulate.pod.namespaces import selected_namespaces

PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
AFFINITY = (("podAffinity", Kind.TOGETHER), ("podAntiAffinity", Kind.APART))


def preferred_terms(pod: Pod, sort: str) -> list[Mapping[str, Any]]:
    """The preferences of one kind of affinity, highest weight first."""
    preferences = [entry for entry in reach(pod.spec, "affinity", sort, PREFERRED) or () if entry]
    # The sort is stable: of equal weights the one that is written first comes first.
    return sorted(preferences, key=lambda entry: -(entry.get("weight") or 0))


def terms(pod: Pod) -> Iterator[Mapping[str, Any]]:
    """Every term of pod affinity and anti-affinity, required and preferred."""
    for sort, _ in AFFINITY:
        yield from filter(None, reach(pod.spec, "affinity", sort, REQUIRED) or ())
        yield from (entry["podAffinityTerm"] for entry in preferred_terms(pod, sort) if entry.get("podAffinityTerm"))


def affinities(pod: Pod, objects: Objects, given_up: Mapping[str, int]) -> Iterator[Rule]:
    """Pod affinity and anti-affinity rules.

    `given_up` is how many preferences of each kind are dropped, heaviest first.
    """
    for sort, kind in AFFINITY:
        for term in reach(pod.spec, "affinity", sort, REQUIRED) or ():
            if term:
                yield _affinity(kind, term, pod, objects, hard=True)
        for entry in preferred_terms(pod, sort)[given_up[sort] :]:
            if entry.get("podAffinityTerm"):
                yield _affinity(kind, entry["podAffinityTerm"], pod, objects, hard=False)


def spreads(pod: Pod, counted: Counted, given_up: int) -> Iterator[Rule]:
    """Topology spread constraints, without the first `given_up` of those that can be dropped."""
    for entry in _kept(pod, given_up):
        spaces = frozenset([pod.item.identity.namespace])
        by_labels = entry.get("nodeAffinityPolicy") != "Ignore"
        by_taints = entry.get("nodeTaintsPolicy") == "Honor"
        yield Rule(
            Kind.SPREAD,
            str(entry.get("topologyKey")),
            selector(_with_own_labels(entry, pod), spaces),
            skew=entry.get("maxSkew") or 1,
            min_domains=max(entry.get("minDomains") or 1, 1),
            counted=counted._replace(by_labels=by_labels, by_taints=by_taints),
            hard=not _is_soft(entry),
        )


def soft_spreads(pod: Pod) -> int:
    """How many topology spread constraints can be dropped (ScheduleAnyway)."""
    return sum(map(_is_soft, _written(pod)))


def _kept(pod: Pod, given_up: int) -> list[Mapping[str, Any]]:
    """The remaining constraints: Karpenter moves the last constraint to the place of one that it drops."""
    left = _written(pod)
    for _ in range(given_up):
        index = next(index for index, entry in enumerate(left) if _is_soft(entry))
        # Not a plain removal: the order of the rest decides which constraint is dropped next.
        left[index] = left[-1]
        left.pop()
    return left


def _written(pod: Pod) -> list[Mapping[str, Any]]:
    return [constraint for constraint in pod.spec.get("topologySpreadConstraints") or () if constraint]


def _is_soft(entry: Mapping[str, Any]) -> bool:
    return entry.get("whenUnsatisfiable") == "ScheduleAnyway"


def _affinity(kind: Kind, term: Mapping[str, Any], pod: Pod, objects: Objects, *, hard: bool) -> Rule:
    chosen = selector(_with_own_labels(term, pod), selected_namespaces(term, pod, objects).names)
    return Rule(kind, str(term.get("topologyKey")), chosen, hard=hard)


def _with_own_labels(entry: Mapping[str, Any], pod: Pod) -> Mapping[str, Any] | None:
    """The selector with the pod's own values for matchLabelKeys and mismatchLabelKeys, which the API server adds."""
    chosen: Mapping[str, Any] | None = entry.get("labelSelector")
    if chosen is None:
        return None
    added = [
        {"key": key, "operator": operator, "values": [pod.labels[key]]}
        for field, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
        for key in entry.get(field) or ()
        if key in pod.labels
    ]
    return {**chosen, "matchExpressions": [*(chosen.get("matchExpressions") or ()), *added]}
