"""Which pods a rule about other pods selects: label selectors, and the rules that keep pods apart."""

from collections.abc import Hashable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.model.syntax.requirement import Requirement


class Labelled(NamedTuple):
    """The properties of a pod that a selector reads."""

    namespace: str
    labels: tuple[tuple[str, str], ...]


class Selector(NamedTuple):
    """Pods by namespace (none means all) and labels: each entry is a key, an operator and values."""

    namespaces: frozenset[str] | None
    entries: tuple[tuple[str, str, tuple[str, ...]], ...]
    nothing: bool = False

    def selects(self, pod: Labelled) -> bool:
        """Whether it selects the pod."""
        if self.nothing or (self.namespaces is not None and pod.namespace not in self.namespaces):
            return False
        own = dict(pod.labels)
        return all(_holds(own.get(key), operator, values) for key, operator, values in self.entries)


class Kind(StrEnum):
    """The kinds of rules about other pods."""

    SPREAD = "topology spread"
    TOGETHER = "pod affinity"
    APART = "pod anti-affinity"


class Counted(NamedTuple):
    """The nodes on which a spread counts pods.

    With `by_labels`, only those that meet one of `terms`; with `by_taints`, only those whose taints are tolerated.
    """

    terms: tuple[frozenset[Requirement], ...]
    tolerations: tuple[str, ...]
    by_labels: bool
    by_taints: bool


class Rule(NamedTuple):
    """Where a pod may run relative to the pods that `selector` selects, by the values of the label `key`.

    A spread allows `skew` pods more on one value than on another; `min_domains` is minDomains. `hard` is False for what
    the scheduler drops if no node is found otherwise.
    """

    kind: Kind
    key: str
    selector: Selector
    skew: int = 0
    min_domains: int = 0
    counted: Counted | None = None
    hard: bool = True

    @property
    def identity(self) -> Hashable:
        """What Karpenter compares rules by: it counts the pods of all rules with the same identity together.

        minDomains is not part of it. Of the labels that a node must have, only the keys are: their values are private
        fields, which its hash of a rule does not read (TopologyGroup.Hash in topologygroup.go).
        """
        counted = self.counted
        if counted is None:
            return self.kind, self.key, self.selector, self.skew
        keys = frozenset(map(_keys, counted.terms))
        nodes = keys, frozenset(counted.tolerations), counted.by_labels, counted.by_taints
        return self.kind, self.key, self.selector, self.skew, nodes


def selector(written: Mapping[str, Any] | None, namespaces: frozenset[str] | None) -> Selector:
    """A labelSelector; without one, no pod is selected."""
    if written is None:
        return Selector(namespaces, (), nothing=True)
    entries: list[tuple[str, str, tuple[str, ...]]] = []
    for key, value in (written.get("matchLabels") or {}).items():
        entries.append((str(key), "In", (str(value),)))
    for expression in filter(None, written.get("matchExpressions") or ()):
        values = tuple(map(str, expression.get("values") or ()))
        entries.append((str(expression.get("key")), str(expression.get("operator")), values))
    return Selector(namespaces, tuple(sorted(set(entries))))


def _keys(term: frozenset[Requirement]) -> frozenset[str]:
    return frozenset(wanted.key for wanted in term)


def _holds(value: str | None, operator: str, values: tuple[str, ...]) -> bool:
    # Both are true for a pod without the label, as in Kubernetes.
    if operator in ("NotIn", "DoesNotExist"):
        return value is None or (operator == "NotIn" and value not in values)
    return value is not None and (operator == "Exists" or value in values)
