"""What a pod requires of its node, as Karpenter reads it: all preferences as requirements, then fewer and fewer.

The order in which preferences are dropped follows pkg/controllers/provisioning/scheduling/preferences.go of
kubernetes-sigs/karpenter.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.syntax.requirement import Requirement, Requirements, intersect, requirement
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import tolerations_of
from gitgpu.objects.workload.pods import Pod
from gitgpu.simulate.pod.affinity import affinities, preferred_terms, soft_spreads, spreads
from gitgpu.simulate.pod.host_ports import HostPort, host_ports
from gitgpu.simulate.pod.ignored import Ignored, ignored_reason
from gitgpu.simulate.pod.label_selectors import Counted, Kind, Labelled, Rule
from gitgpu.simulate.pod.priorities import Priority, priority_of
from gitgpu.simulate.pod.resource_claims import claimed_devices
from gitgpu.simulate.pod.volumes import storage_of

# The most readings of a pod: if it has more preferences, the last reading drops all the rest. A choice: a pod without a
# node is tried in every reading.
_MAX_READINGS = 24


class Shape(NamedTuple):
    """One reading of a pod. With `gentle`, taints with the effect PreferNoSchedule keep it away too.

    `wants` are the labels that it requires, `musts` those without preferences. `rules` limit where it may run relative
    to other pods, and `guards` are those that also keep the other pods away from it. `ports` are the host ports that it
    uses. `volumes` are requirements of its volumes: its node must meet one of them; () if there are none. `ignored` is
    why Karpenter does not start a node for it. `key` and `tolerance` can be hashed, and are equal for
    shapes that require the same labels or tolerate the same taints.
    """

    wants: Requirements
    musts: Requirements
    key: frozenset[Requirement]
    tolerations: tuple[Mapping[str, Any], ...]
    gentle: bool
    requests: Mapping[str, Decimal]
    rules: tuple[Rule, ...]
    guards: tuple[Rule, ...]
    ports: frozenset[HostPort]
    volumes: tuple[Requirements, ...]
    own: Labelled
    ignored: Ignored | None
    priority: Priority
    tolerance: str


class _Dropped(NamedTuple):
    """What has been dropped: the number of node affinity terms and of preferences of each kind, from the first on."""

    term: int = 0
    together: int = 0
    apart: int = 0
    node: int = 0
    spread: int = 0
    gentle: bool = True


def shapes(pod: Pod, objects: Objects, *, gentle: bool) -> tuple[Shape, ...]:
    """The readings of a pod, starting with the one that has all its preferences."""
    readings = list(_readings(pod, gentle=gentle))
    # The last one has no preference left: without it, a pod with too many of them would not get a node.
    kept = [*readings[: _MAX_READINGS - 1], *readings[_MAX_READINGS - 1 :][-1:]]
    shaped = [_shape(pod, objects, left) for left in kept]
    why = ignored_reason(pod, shaped[0].wants, objects)
    return tuple(shape._replace(ignored=why) for shape in shaped) if why else tuple(shaped)


def _readings(pod: Pod, *, gentle: bool) -> Iterator[_Dropped]:
    left = _Dropped(gentle=gentle)
    yield left
    # This order is upstream's, and it decides which preference a pod keeps.
    steps = (
        # The last required term is never dropped: without it the pod could go anywhere.
        ("term", max(len(pod.terms()) - 1, 0)),
        ("together", len(preferred_terms(pod, "podAffinity"))),
        ("apart", len(preferred_terms(pod, "podAntiAffinity"))),
        ("node", len(preferred_terms(pod, "nodeAffinity"))),
        ("spread", soft_spreads(pod)),
    )
    for name, times in steps:
        for done in range(1, times + 1):
            left = left._replace(**{name: done})  # type: ignore[arg-type]
            yield left
    if gentle:
        yield left._replace(gentle=False)


def _shape(pod: Pod, objects: Objects, left: _Dropped) -> Shape:
    terms = pod.terms()[left.term :]
    musts = terms[0] if terms else {}
    wants = intersect([*musts.values(), *_preferred(pod, left.node)])
    tolerations = tuple(tolerations_of(pod, objects))
    rules = _rules(pod, objects, terms, left)
    own = Labelled(
        pod.item.identity.namespace, tuple(sorted((str(key), str(value)) for key, value in pod.labels.items()))
    )
    return Shape(
        wants=wants,
        musts=musts,
        key=frozenset(wants.values()),
        tolerations=tolerations,
        gentle=left.gentle,
        requests=_requests(pod, objects),
        rules=rules,
        guards=tuple(rule for rule in rules if rule.kind is Kind.APART and rule.hard),
        ports=host_ports(pod),
        volumes=storage_of(pod, objects).alternatives,
        own=own,
        ignored=None,
        priority=priority_of(pod, objects),
        tolerance=repr((tolerations, left.gentle)),
    )


def _rules(pod: Pod, objects: Objects, terms: list[dict[str, Requirement]], left: _Dropped) -> tuple[Rule, ...]:
    tolerance = tuple(map(repr, tolerations_of(pod, objects)))
    if not left.gentle:
        tolerance = (*tolerance, "PreferNoSchedule")
    # by_labels and by_taints are the defaults of Kubernetes; each constraint has its own (see `spreads`).
    counted = Counted(tuple(frozenset(term.values()) for term in terms), tolerance, by_labels=True, by_taints=False)
    given_up = {"podAffinity": left.together, "podAntiAffinity": left.apart}
    return tuple(dict.fromkeys((*spreads(pod, counted, left.spread), *affinities(pod, objects, given_up))))


def _requests(pod: Pod, objects: Objects) -> dict[str, Decimal]:
    """What the pod requests, including the GPUs of its claims."""
    both = (*pod.requests().items(), *claimed_devices(pod, objects).amounts.items())
    requests = {"pods": Decimal(1)}
    for name, amount in both:
        if amount:
            requests[name] = requests.get(name, Decimal(0)) + amount
    return requests


def _preferred(pod: Pod, dropped: int) -> Iterator[Requirement]:
    """The preference with the highest weight that is left: Karpenter treats it as a requirement."""
    for row in preferred_terms(pod, "nodeAffinity")[dropped : dropped + 1]:
        for entry in reach(row, "preference", "matchExpressions") or ():
            try:
                yield requirement(entry["key"], entry["operator"], entry.get("values") or ())
            except (KeyError, TypeError, ValueError):
                continue
