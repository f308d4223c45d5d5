"""What a pod asks of its node, as Karpenter reads it: all preferences as requirements, then fewer and fewer of them.

The order in which preferences are dropped is that of pkg/controllers/provisioning/scheduling/preferences.go of
kubernetes-sigs/karpenter.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.pods import Pod
from gitgpu.conform.wishes import forgiven
from gitgpu.schedule.requirement import Requirement, Requirements, joined, requirement
from gitgpu.simulate.claimed import claimed
from gitgpu.simulate.selector import HOST, ZONE, Labelled, Selector, Spread, selector

_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_MOST = 24  # so many preferences are dropped one by one; nobody has more


class Shape(NamedTuple):
    """One reading of a pod. With `gentle`, taints that only say PreferNoSchedule keep it away as well.

    `apart` are the pods that it would not be with on a node; with the first `strict` of them it must not be, whoever
    comes first. `ports` are the ports of the node that it takes. `key` and `tolerance`
    tell two shapes apart that want other labels or tolerate other taints.
    """

    wants: Requirements
    key: frozenset[Requirement]
    tolerations: tuple[Mapping[str, Any], ...]
    gentle: bool
    asks: Mapping[str, Decimal]
    apart: tuple[Selector, ...]
    strict: int
    spreads: tuple[Spread, ...]
    ports: frozenset[tuple[int, str]]
    own: Labelled
    claims: bool
    tolerance: str


class _Left(NamedTuple):
    """What is still heeded: so many first terms were dropped, so many preferences of each sort."""

    term: int = 0
    apart: int = 0
    node: int = 0
    spread: int = 0
    gentle: bool = True


def shapes(pod: Pod, objects: Objects, *, gentle: bool) -> tuple[Shape, ...]:
    """The readings of a pod, the one that heeds everything first."""
    return tuple(_shape(pod, objects, left) for left in islice(_readings(pod, gentle=gentle), _MOST))


def _readings(pod: Pod, *, gentle: bool) -> Iterator[_Left]:
    left = _Left(gentle=gentle)
    yield left
    steps = (
        ("term", max(len(pod.terms()) - 1, 0)),
        ("apart", len(_soft(pod, "podAntiAffinity"))),
        ("node", len(_soft(pod, "nodeAffinity"))),
        ("spread", sum(1 for one in _spreads(pod) if one.get("whenUnsatisfiable") == "ScheduleAnyway")),
    )
    for name, times in steps:
        for done in range(1, times + 1):
            left = left._replace(**{name: done})  # type: ignore[arg-type]
            yield left
    if gentle:
        yield left._replace(gentle=False)


def _shape(pod: Pod, objects: Objects, left: _Left) -> Shape:
    terms = pod.terms()
    first = terms[left.term] if terms else {}
    wants = joined([*first.values(), *_preferred(pod, left.node)])
    tolerations = tuple(forgiven(pod, objects))
    apart = list(_apart(pod, left.apart))
    own = Labelled(pod.item.identity.namespace, tuple(sorted((str(k), str(v)) for k, v in pod.labels.items())))
    return Shape(
        wants=wants,
        key=frozenset(wants.values()),
        tolerations=tolerations,
        gentle=left.gentle,
        asks=_asks(pod, objects),
        apart=tuple(chosen for chosen, _ in apart),
        strict=sum(must for _, must in apart),
        spreads=tuple(_spread(pod, left.spread)),
        ports=frozenset(_ports(pod)),
        own=own,
        claims=bool(pod.spec.get("resourceClaims")),
        tolerance=repr((tolerations, left.gentle)),
    )


def _asks(pod: Pod, objects: Objects) -> dict[str, Decimal]:
    """What it asks for by requests and by claims."""
    both = (*pod.requests().items(), *claimed(pod, objects).amounts.items())
    asks = {"pods": Decimal(1)}
    for name, amount in both:
        if amount:
            asks[name] = asks.get(name, Decimal(0)) + amount
    return asks


def _soft(pod: Pod, kind: str) -> list[Mapping[str, Any]]:
    """The preferences of a kind of affinity, the heaviest first."""
    found = [one for one in reach(pod.spec, "affinity", kind, _PREFERRED) or () if one]
    return sorted(found, key=lambda one: -(one.get("weight") or 0))


def _preferred(pod: Pod, dropped: int) -> Iterator[Requirement]:
    """The heaviest preference that is left: Karpenter takes it for a requirement."""
    for one in _soft(pod, "nodeAffinity")[dropped : dropped + 1]:
        for entry in reach(one, "preference", "matchExpressions") or ():
            try:
                yield requirement(entry["key"], entry["operator"], entry.get("values") or ())
            except (KeyError, TypeError, ValueError):
                continue


def _apart(pod: Pod, dropped: int) -> Iterator[tuple[Selector, bool]]:
    """The pods that are to be on other nodes, and whether that is a must; musts first."""
    required = reach(pod.spec, "affinity", "podAntiAffinity", _REQUIRED) or ()
    soft = [one.get("podAffinityTerm") for one in _soft(pod, "podAntiAffinity")[dropped:]]
    for must, terms in ((True, required), (False, soft)):
        for one in (term for term in terms if term and term.get("topologyKey") == HOST):
            spaces = one.get("namespaces") or [pod.item.identity.namespace]
            every = one.get("namespaceSelector") is not None
            yield selector(one.get("labelSelector"), None if every else frozenset(spaces)), must


def _spreads(pod: Pod) -> list[Mapping[str, Any]]:
    return [one for one in pod.spec.get("topologySpreadConstraints") or () if one]


def _spread(pod: Pod, dropped: int) -> Iterator[Spread]:
    """The spreads that are heeded: those that must hold, and soft ones until they are dropped."""
    soft = 0
    for one in _spreads(pod):
        if one.get("whenUnsatisfiable") == "ScheduleAnyway":
            soft += 1
            if soft <= dropped:
                continue
        if one.get("topologyKey") in (HOST, ZONE):
            spaces = frozenset([pod.item.identity.namespace])
            honours = one.get("nodeTaintsPolicy") == "Honor"
            chosen = selector(_own_keys(one, pod), spaces)
            yield Spread(one["topologyKey"], one.get("maxSkew") or 1, one.get("minDomains") or 0, chosen, honours)


def _own_keys(one: Mapping[str, Any], pod: Pod) -> Mapping[str, Any] | None:
    """The selector with the pod's own values of matchLabelKeys."""
    chosen: Mapping[str, Any] | None = one.get("labelSelector")
    extra = {key: pod.labels[key] for key in one.get("matchLabelKeys") or () if key in pod.labels}
    if chosen is None or not extra:
        return chosen
    return {**chosen, "matchLabels": {**(chosen.get("matchLabels") or {}), **extra}}


def _ports(pod: Pod) -> Iterator[tuple[int, str]]:
    for _, container in pod.containers():
        for one in container.get("ports") or ():
            port = (one or {}).get("hostPort") or (pod.spec.get("hostNetwork") and (one or {}).get("containerPort"))
            if port:
                yield int(port), str(one.get("protocol") or "TCP")
