"""Where the next pod may go, given the other pods: the counts of each spread, affinity and anti-affinity rule.

The counting follows pkg/controllers/provisioning/scheduling/topology.go and topologygroup.go of
kubernetes-sigs/karpenter. If several values of a label are equally good, Karpenter takes any, and tries again later if
no node fits; here all of them are tried at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from gitgpu.model.names.labels import HOSTNAME_LABEL
from gitgpu.model.syntax.requirement import Requirement, Requirements, requirement
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.fit import by_key
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.topology_group import Domains, TopologyGroup, values_of
from gitgpu.simulate.pod.label_selectors import Labelled, Rule
from gitgpu.simulate.pod.shape import Shape

_Narrowed: TypeAlias = dict[str, Requirement]


class _RulesAbout(NamedTuple):
    """The rules that concern a pod: those that count it, and the anti-affinity of other pods against it."""

    counting: list[TopologyGroup]
    guarding: list[TopologyGroup]


class Topology:
    """The counts of a batch of pods: those on existing nodes, and each pod as it is placed.

    A rule counts from the moment when a pod with that rule is first tried. `bound` are the existing nodes.
    """

    def __init__(self, groups: Iterable[NodeGroup], bound: Sequence[NodeClaim]) -> None:
        self._domains = Domains(groups, bound)
        self._groups_of_pods: dict[object, TopologyGroup] = {}
        self._guards: dict[object, TopologyGroup] = {}
        self._own: dict[int, tuple[TopologyGroup, ...]] = {}
        self._about: dict[Labelled, _RulesAbout] = {}
        for claim in bound:
            for load, shape in claim.shapes.items():
                for topology_group in self._guarding(shape):
                    topology_group.count(values_of(claim, topology_group.rule.key), claim.pods[load])

    def register(self, shape: Shape) -> None:
        """Starts counting for the rules of a pod."""
        if id(shape) in self._own:
            return
        self._own[id(shape)] = tuple(self._tally(rule, shape) for rule in shape.rules)
        self._guarding(shape)

    def can_reopen(self, shape: Shape) -> bool:
        """Whether a node that the pod was kept off may accept it later.

        Free capacity only shrinks, but counts even out.
        """
        return any(topology_group.can_reopen for topology_group in self._limiting(shape))

    def choices(self, shape: Shape, claim: NodeClaim, wants: Requirements) -> Iterator[_Narrowed]:
        """The values that the rules leave for the labels of a node: one mapping for each way to satisfy all rules."""
        allowed: dict[str, tuple[list[str], bool]] = {}
        for topology_group in self._limiting(shape):
            key = topology_group.rule.key
            if key == HOSTNAME_LABEL:
                if not topology_group.takes_host(str(claim.at), shape):
                    return
                continue
            values, is_single = topology_group.open(shape, wants.get(key))
            before, was_single = allowed.get(key, (values, False))
            allowed[key] = [value for value in before if value in values], is_single or was_single
        if all(values for values, _ in allowed.values()):
            alternatives = [_alternatives(key, *allowed[key]) for key in sorted(allowed)]
            yield from map(by_key, product(*alternatives))

    def record(self, shape: Shape, claim: NodeClaim) -> None:
        """Counts a placed pod under the value of its node.

        If that is not settled, only anti-affinity counts it, under each.
        """
        for topology_group in self._rules_about(shape.own).counting:
            if topology_group.counts(claim):
                topology_group.record(claim)
        for topology_group in self._guarding(shape):
            topology_group.record(claim)

    def _tally(self, rule: Rule, shape: Shape) -> TopologyGroup:
        name = rule.identity
        if name not in self._groups_of_pods:
            self._groups_of_pods[name] = self._domains.topology_group(rule, shape)
            self._about.clear()
        return self._groups_of_pods[name]

    def _guarding(self, shape: Shape) -> tuple[TopologyGroup, ...]:
        for rule in shape.guards:
            if rule.identity not in self._guards:
                self._guards[rule.identity] = self._domains.empty(rule, shape)
                self._about.clear()
        return tuple(self._guards[rule.identity] for rule in shape.guards)

    def _limiting(self, shape: Shape) -> tuple[TopologyGroup, ...]:
        """The rules that limit where the pod may go."""
        return (*self._own.get(id(shape), ()), *self._rules_about(shape.own).guarding)

    def _rules_about(self, own: Labelled) -> _RulesAbout:
        if own not in self._about:
            counting_groups = [group for group in self._groups_of_pods.values() if group.rule.selector.selects(own)]
            guarding_groups = [group for group in self._guards.values() if group.rule.selector.selects(own)]
            self._about[own] = _RulesAbout(counting_groups, guarding_groups)
        return self._about[own]


def _alternatives(key: str, values: list[str], single: bool) -> list[Requirement]:
    if single:
        return [requirement(key, "In", [value]) for value in values]
    return [requirement(key, "In", values)]
