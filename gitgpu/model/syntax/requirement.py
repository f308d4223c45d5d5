"""Requirements on labels, computed as in kubernetes-sigs/karpenter pkg/scheduling/requirement.go."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gitgpu.model.names.labels import ARCH_LABEL, INSTANCE_TYPE_LABEL, OS_LABEL, REGION_LABEL, ZONE_LABEL

ABSENT = frozenset({"NotIn", "DoesNotExist"})  # operators that a missing label satisfies
# What to add to a number to make it an inclusive lower or upper bound.
BOUNDS = {"Gt": (1, None), "Gte": (0, None), "Lt": (None, -1), "Lte": (None, 0)}
# Karpenter replaces deprecated labels before it compares anything (NormalizedLabels).
OLD_NAMES = {
    "beta.kubernetes.io/arch": ARCH_LABEL,
    "beta.kubernetes.io/instance-type": INSTANCE_TYPE_LABEL,
    "beta.kubernetes.io/os": OS_LABEL,
    "failure-domain.beta.kubernetes.io/region": REGION_LABEL,
    "failure-domain.beta.kubernetes.io/zone": ZONE_LABEL,
    "topology.disk.csi.azure.com/zone": ZONE_LABEL,
}


class Requirement(NamedTuple):
    """The allowed values of one label: `values`, or with `complement` all others. `low` and `high` are inclusive."""

    key: str
    complement: bool
    values: frozenset[str]
    low: int | None = None
    high: int | None = None
    minimum: int | None = None

    @property
    def operator(self) -> str:
        """The operator with the same meaning."""
        if self.complement:
            return "NotIn" if self.values else "Exists"
        return "In" if self.values else "DoesNotExist"

    def takes(self, value: str) -> bool:
        """Whether the label may have this value."""
        return (value in self.values) != self.complement and _inside(value, self.low, self.high)


Requirements: TypeAlias = Mapping[str, Requirement]
_UNBOUNDED = (None, None, None, None)


def requirement(key: str, operator: str, values: Iterable[str] = (), minimum: int | None = None) -> Requirement:
    """A requirement of a NodePool or a node affinity. Raises ValueError if a bound is not an integer."""
    return _requirement(key, operator, tuple(values), minimum)


@lru_cache(1 << 12)  # many pools of a fleet have equal requirements
def _requirement(key: str, operator: str, values: tuple[str, ...], minimum: int | None) -> Requirement:
    name = OLD_NAMES.get(key, key)
    if operator in BOUNDS:
        below, above = BOUNDS[operator]
        number = int(values[0]) if values else 0  # a missing value is reported elsewhere
        low = None if below is None else number + below
        high = None if above is None else number + above
        return Requirement(name, complement=True, values=frozenset(), low=low, high=high, minimum=minimum)
    complement = operator in ("NotIn", "Exists")
    kept = frozenset(values) if operator in ("In", "NotIn") else frozenset()
    return Requirement(name, complement=complement, values=kept, minimum=minimum)


def fixed_labels(texts: Mapping[str, str]) -> dict[str, Requirement]:
    """Labels that are set, as requirements."""
    return {key: requirement(key, "In", [value]) for key, value in texts.items()}


def intersection(first: Requirement, other: Requirement) -> Requirement:
    """The values that both allow."""
    low, high = _outer(max, first.low, other.low), _outer(min, first.high, other.high)
    # The larger minValues has to be met, as in upstream's Intersection.
    minimum = _outer(max, first.minimum, other.minimum)
    if low is not None and high is not None and low > high:
        return Requirement(first.key, complement=False, values=frozenset(), minimum=minimum)
    # Only two complements give a complement; otherwise, the result is a finite list.
    complement = first.complement and other.complement
    values = frozenset(value for value in _combined(first, other) if _inside(value, low, high))
    if not complement:  # the bounds have been applied to the values; upstream drops them too
        return Requirement(first.key, complement=False, values=values, minimum=minimum)
    return Requirement(first.key, complement=True, values=values, low=low, high=high, minimum=minimum)


def meets(first: Requirement, other: Requirement) -> bool:
    """Whether there is a value that both allow, or a missing label satisfies both."""
    if (first.low, first.high, other.low, other.high) == _UNBOUNDED:  # nearly all: a simulation asks for each size
        overlap = (first.complement and other.complement) or bool(_combined(first, other))
    else:
        both = intersection(first, other)
        overlap = both.complement or bool(both.values)
    return overlap or (first.operator in ABSENT and other.operator in ABSENT)


def intersect(requirements: Iterable[Requirement]) -> dict[str, Requirement]:
    """The intersection of the requirements on each key."""
    by_key: dict[str, Requirement] = {}
    for wanted in requirements:
        by_key[wanted.key] = intersection(by_key[wanted.key], wanted) if wanted.key in by_key else wanted
    return by_key


def clash(first: Requirements, other: Requirements) -> str:
    """The first key, in order of name, on which the two have no common value; empty if there is none."""
    shared = sorted(first.keys() & other.keys())
    return next((key for key in shared if not meets(first[key], other[key])), "")


def undefined_key(node: Requirements, pod: Requirements, well_known: frozenset[str]) -> str:
    """The first key that the pod requires and the node does not define; empty if there is none."""
    required = sorted(key for key, requirement in pod.items() if requirement.operator not in ABSENT)
    return next((key for key in required if key not in node and key not in well_known), "")


def _combined(first: Requirement, other: Requirement) -> frozenset[str]:
    if first.complement and other.complement:
        return first.values | other.values
    if first.complement:
        return other.values - first.values
    return first.values - other.values if other.complement else first.values & other.values


def _outer(choose: Callable[[Iterable[int]], int], first: int | None, other: int | None) -> int | None:
    bounds = [bound for bound in (first, other) if bound is not None]
    return choose(bounds) if bounds else None


def _inside(value: str, low: int | None, high: int | None) -> bool:
    if low is None and high is None:
        return True
    try:
        number = int(value)
    except ValueError:  # as upstream: a text is outside all bounds
        return False
    return (low is None or number >= low) and (high is None or number <= high)
