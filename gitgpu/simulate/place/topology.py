"""Where the next pod may go, given the other pods: the counts of each spread, affinity and anti-affinity rule.

The counting is that of pkg/controllers/provisioning/scheduling/topology.go and topologygroup.go of
kubernetes-sigs/karpenter. Where several values of a label are equally good, Karpenter takes any and tries again later
when that gives no node; here all of them are tried at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from gitgpu.model.syntax.requirement import Requirement, Requirements, requirement
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.topology_group import Domains, TopologyGroup, values_of
from gitgpu.simulate.pod.label_selectors import HOST, Labelled, Rule
from gitgpu.simulate.pod.shape import Shape

_Narrowed: TypeAlias = dict[str, Requirement]


class Topology:
    """The counts of a batch of pods: those of the nodes that are there, and of each pod as it is placed.

    A rule counts from the moment that a pod with it is first tried. `bound` are the nodes that are there.
    """

    def __init__(self, groups: Iterable[NodeGroup], bound: Sequence[NodeClaim]) -> None:
        self._domains = Domains(groups, bound)
        self._groups_of_pods: dict[object, TopologyGroup] = {}
        self._guards: dict[object, TopologyGroup] = {}
        self._own: dict[int, tuple[TopologyGroup, ...]] = {}
        self._meaning: dict[Labelled, tuple[list[TopologyGroup], list[TopologyGroup]]] = {}
        for claim in bound:
            for load, shape in claim.shapes.items():
                for topology_group in self._guarding(shape):
                    topology_group.count(values_of(claim, topology_group.rule.key), claim.pods[load])

    def heed(self, shape: Shape) -> None:
        """Counts for the rules of a pod from now on."""
        if id(shape) in self._own:
            return
        self._own[id(shape)] = tuple(self._tally(rule, shape) for rule in shape.rules)
        self._guarding(shape)

    def is_free(self, shape: Shape) -> bool:
        """Do no rules bear on the pod, neither its own nor those of others?"""
        return not self._own.get(id(shape)) and not self._meant(shape.own)[1]

    def is_fickle(self, shape: Shape) -> bool:
        """May a node that the pod was kept off take it later? Nodes only ever get fuller, but counts even out."""
        return any(
            topology_group.is_fickle for topology_group in (*self._own.get(id(shape), ()), *self._meant(shape.own)[1])
        )

    def choices(self, shape: Shape, claim: NodeClaim, wants: Requirements) -> Iterator[_Narrowed]:
        """What the rules leave of the labels of a node, for each way in which all of them can hold."""
        found: dict[str, tuple[list[str], bool]] = {}
        for topology_group in (*self._own[id(shape)], *self._meant(shape.own)[1]):
            key = topology_group.rule.key
            if key == HOST:
                if not topology_group.takes_host(str(claim.at), shape):
                    return
                continue
            values, single = topology_group.open(shape, wants.get(key))
            known, before = found.get(key, (values, False))
            found[key] = [value for value in known if value in values], single or before
        if all(values for values, _ in found.values()):
            ways = [_ways(key, *found[key]) for key in sorted(found)]
            yield from ({wanted.key: wanted for wanted in way} for way in product(*ways))

    def record(self, shape: Shape, claim: NodeClaim) -> None:
        """Counts a pod that was placed, where its value is settled; for pods that are to be apart, where it may be."""
        for topology_group in self._meant(shape.own)[0]:
            if topology_group.counts(claim):
                topology_group.record(values_of(claim, topology_group.rule.key))
        for topology_group in self._guarding(shape):
            topology_group.count(values_of(claim, topology_group.rule.key), 1)

    def _tally(self, rule: Rule, shape: Shape) -> TopologyGroup:
        name = rule.identity
        if name not in self._groups_of_pods:
            self._groups_of_pods[name] = self._domains.topology_group(rule, shape)
            self._meaning.clear()
        return self._groups_of_pods[name]

    def _guarding(self, shape: Shape) -> tuple[TopologyGroup, ...]:
        for rule in shape.guards:
            if rule.identity not in self._guards:
                self._guards[rule.identity] = self._domains.empty(rule, shape)
                self._meaning.clear()
        return tuple(self._guards[rule.identity] for rule in shape.guards)

    def _meant(self, own: Labelled) -> tuple[list[TopologyGroup], list[TopologyGroup]]:
        """The rules about such pods: those that count them, and anti-affinity of other pods against them."""
        if own not in self._meaning:
            counting = [group for group in self._groups_of_pods.values() if group.rule.selector.means(own)]
            guarding = [group for group in self._guards.values() if group.rule.selector.means(own)]
            self._meaning[own] = counting, guarding
        return self._meaning[own]


def _ways(key: str, values: list[str], single: bool) -> list[Requirement]:
    return [requirement(key, "In", [value]) for value in values] if single else [requirement(key, "In", values)]
