"""The kinds of object that the rules of a folder read. The folder is imported only if such an object is present."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gitgpu.objects.objects import WORKLOADS

Kind: TypeAlias = tuple[str, str]  # group and kind; the group of Pods and ConfigMaps is ""

ANY = ("*/*",)  # for rules that look at every object, regardless of its kind
PODS = tuple(f"{group}/{kind}".removeprefix("/") for group, kind in WORKLOADS)  # kinds with a pod template
# Kinds that rules read through the same function: releases of charts, AKS node pools, scaled objects, alert rules.
RELEASES = (
    *("argoproj.io/Application", "argoproj.io/ApplicationSet"),
    *("gitgpu.dev/HelmValues", "helm.toolkit.fluxcd.io/HelmRelease"),
)
AGENT_POOLS = ("containerservice.azure.com/ManagedCluster", "containerservice.azure.com/ManagedClustersAgentPool")
SCALED = ("keda.sh/ScaledJob", "keda.sh/ScaledObject")
ALERTS = ("alertsmanagement.azure.com/PrometheusRuleGroup", "monitoring.coreos.com/PrometheusRule")
_ANY: Kind = ("*", "*")


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
        return _ANY in self.about or not self.about.isdisjoint(present)

    def may_find(self, rule: str, present: frozenset[Kind]) -> bool:
        """Whether an object is present that this rule of the folder reads first."""
        first = self.first.get(rule)
        return first is None or not first.isdisjoint(present)

    def read(self, kind: Kind) -> bool:
        """Whether the folder declares that its rules read objects of this kind."""
        return not {kind, _ANY}.isdisjoint(self.about | self.context)


def kinds(
    about: Iterable[str], context: Iterable[str] = (), first: Mapping[str, Iterable[str]] = MappingProxyType({})
) -> Kinds:
    """The declaration of a folder; a kind is written as group/Kind, or as Kind if it has no group."""
    return Kinds(_kinds(about), _kinds(context), {rule: _kinds(asked) for rule, asked in first.items()})


def _kinds(written: Iterable[str]) -> frozenset[Kind]:
    return frozenset(map(_kind, written))


def _kind(written: str) -> Kind:
    group, _, kind = written.rpartition("/")
    return group, kind
