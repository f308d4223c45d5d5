"""The kinds of object that the rules of a folder read. The folder is imported only if such an object is present."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gitgpu.model.names.kinds import (
    APPLICATION,
    APPLICATION_SET,
    HELM_RELEASE,
    HELM_REPOSITORY,
    HELM_VALUES,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    OCI_REPOSITORY,
    PROMETHEUS_RULE,
    PROMETHEUS_RULE_GROUP,
    SCALED_JOB,
    SCALED_OBJECT,
    GroupKind,
)
from gitgpu.objects.workload.known_kinds import WORKLOADS

Kind: TypeAlias = tuple[str, str]  # group and kind; the group of Pods and ConfigMaps is ""

ANY = (GroupKind("*", "*"),)  # for rules that look at every object, regardless of its kind
PODS = WORKLOADS  # kinds with a pod template
# Kinds that rules read through the same function: releases of charts, AKS node pools, scaled objects, alert rules.
RELEASES = (APPLICATION, APPLICATION_SET, HELM_VALUES, HELM_RELEASE)
AGENT_POOLS = (MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL)
SCALED = (SCALED_JOB, SCALED_OBJECT)
ALERTS = (PROMETHEUS_RULE_GROUP, PROMETHEUS_RULE)


class Kinds(NamedTuple):
    """What a folder of rules declares.

    `about` are the kinds that findings are about: without such an object there is no finding, whatever else is present
    or missing. `context` are kinds that rules look up to judge the others; they may be absent. `first` are the kinds
    that a rule, by the name of its module, reads before all others: without an object of one of these kinds it finds
    nothing.
    """

    about: frozenset[Kind]
    context: frozenset[Kind]
    first: Mapping[str, frozenset[Kind]]

    def concern(self, present: frozenset[Kind]) -> bool:
        """Whether there can be a finding if objects of these kinds are present."""
        return ANY[0] in self.about or not self.about.isdisjoint(present)

    def may_find(self, rule: str, present: frozenset[Kind]) -> bool:
        """Whether an object is present that this rule of the folder reads first."""
        first = self.first.get(rule)
        return first is None or not first.isdisjoint(present)

    def reads(self, kind: Kind) -> bool:
        """Whether the folder declares that its rules read objects of this kind."""
        return not {kind, *ANY}.isdisjoint(self.about | self.context)


def kinds(
    about: Iterable[Kind], context: Iterable[Kind] = (), first: Mapping[str, Iterable[Kind]] = MappingProxyType({})
) -> Kinds:
    """The declaration of a folder."""
    declared, looked_up = frozenset(about), frozenset(context)
    if HELM_RELEASE in declared | looked_up:
        looked_up |= {HELM_REPOSITORY, OCI_REPOSITORY}  # they say which chart a release has
    asked = {rule: frozenset(read_first) for rule, read_first in first.items()}
    return Kinds(declared, looked_up, asked)
