"""Which pods a rule about other pods means: label selectors, and the rules that keep pods apart."""

from collections.abc import Mapping
from typing import Any, NamedTuple

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"


class Labelled(NamedTuple):
    """What a selector looks at."""

    namespace: str
    labels: tuple[tuple[str, str], ...]


class Selector(NamedTuple):
    """Pods by namespace (none means all) and labels: each entry is a key, an operator and values."""

    namespaces: frozenset[str] | None
    entries: tuple[tuple[str, str, tuple[str, ...]], ...]
    nothing: bool = False

    def means(self, pod: Labelled) -> bool:
        """Is it one of these pods?"""
        if self.nothing or (self.namespaces is not None and pod.namespace not in self.namespaces):
            return False
        own = dict(pod.labels)
        return all(_holds(own.get(key), operator, values) for key, operator, values in self.entries)


class Spread(NamedTuple):
    """Pods are to be spread evenly over the values of a label: by at most `skew` more on one than on another.

    `least` is how many values there have to be before the emptiest of them counts. `honours` says that only nodes
    whose taints the pod tolerates count.
    """

    key: str
    skew: int
    least: int
    selector: Selector
    honours: bool = False


def selector(written: Mapping[str, Any] | None, namespaces: frozenset[str] | None) -> Selector:
    """A labelSelector; without one nothing is meant."""
    if written is None:
        return Selector(namespaces, (), nothing=True)
    plain = [(str(key), "In", (str(value),)) for key, value in (written.get("matchLabels") or {}).items()]
    more = [
        (str(one.get("key")), str(one.get("operator")), tuple(map(str, one.get("values") or ())))
        for one in written.get("matchExpressions") or ()
        if one
    ]
    return Selector(namespaces, tuple(sorted((*plain, *more))))


def _holds(value: str | None, operator: str, values: tuple[str, ...]) -> bool:
    if operator in ("NotIn", "DoesNotExist"):
        return value is None or (operator == "NotIn" and value not in values)
    return value is not None and (operator == "Exists" or value in values)
