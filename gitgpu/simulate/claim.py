"""A node that is being filled: which sizes it may still become, and what is on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from gitgpu.schedule.requirement import Requirement, Requirements, clash, joined
from gitgpu.simulate.fit import Fit, enough
from gitgpu.simulate.group import NodeGroup
from gitgpu.simulate.shape import Shape

_NONE = Decimal(0)


@dataclass(slots=True, eq=False)
class Claim:
    """A node of a group. `fixed` when it is there already and cannot become another size.

    `asked` is what its pods ask for together, `pods` how many of each workload it has, `shapes` how these read. `keys`
    are the wishes that are met already; `sort` is what all want of labels, as one value; with `guarded`, a pod
    keeps others away.
    """

    at: int
    group: NodeGroup
    types: int
    slots: int
    wants: Requirements
    fixed: bool = False
    keys: set[Requirement] = field(default_factory=set)
    asked: dict[str, Decimal] = field(default_factory=dict)
    pods: dict[int, int] = field(default_factory=dict)
    shapes: dict[int, Shape] = field(default_factory=dict)
    ports: set[tuple[int, str]] = field(default_factory=set)
    guarded: bool = False
    sort: frozenset[Requirement] = frozenset()

    def __post_init__(self) -> None:
        self.sort = frozenset(self.wants.values())

    @property
    def count(self) -> int:
        """How many pods it has."""
        return int(self.asked.get("pods", 0))

    def free(self, names: Iterable[str], *, up: bool) -> dict[str, Decimal]:
        """The most of some resources that may be left on it."""
        most, types, asked = self.group.shelf.most, self.types, self.asked
        return {name: most(types, name, up=up) - asked.get(name, _NONE) for name in names}


def tried(claim: Claim, shape: Shape, narrowed: Requirements, *, up: bool) -> Fit | None:
    """The node with one more pod, whose zone was `narrowed`; None where it has no room for it."""
    wants, more = claim.wants, [one for one in shape.wants.values() if one not in claim.keys]
    if more and clash(wants, shape.wants):
        return None
    if more or narrowed:
        wants = joined([*wants.values(), *more, *narrowed.values()])
    shelf = claim.group.shelf
    slots = claim.slots & shelf.market.meeting(wants) if more or narrowed else claim.slots
    types = claim.types & shelf.meeting(more) & shelf.selling(slots) & shelf.fitting(summed(claim, shape), up=up)
    return Fit(types, slots, wants) if types and enough(types, claim.group) else None


def summed(claim: Claim, shape: Shape) -> dict[str, Decimal]:
    """What the pods and one more ask for together."""
    asked = dict(claim.asked)
    for name, amount in shape.asks.items():
        asked[name] = asked.get(name, _NONE) + amount
    return asked


def strangers(claim: Claim, shape: Shape) -> bool:
    """Is a pod there that this one may not be with, or the other way round? Or does one have its port?"""
    if claim.ports & shape.ports:
        return True
    return (bool(shape.apart) or claim.guarded) and any(
        any(one.means(other.own) for one in shape.apart)
        or any(one.means(shape.own) for one in other.apart[: other.strict])
        for other in claim.shapes.values()
    )


def settled(claim: Claim, fit: Fit, load: int, shape: Shape) -> None:
    """Puts the pod there."""
    if claim.wants is not fit.wants:
        claim.wants, claim.sort = fit.wants, frozenset(fit.wants.values())
    claim.types, claim.slots = fit.types, fit.slots
    claim.asked = summed(claim, shape)
    claim.keys |= shape.key
    claim.pods[load] = claim.pods.get(load, 0) + 1
    claim.shapes[load] = shape
    claim.ports |= shape.ports
    claim.guarded = claim.guarded or bool(shape.strict)


def subtracted(left: Mapping[str, Decimal], claim: Claim) -> dict[str, Decimal]:
    """The limits once the node is started: Karpenter counts the largest size that it may still become."""
    types = list(claim.group.shelf.of(claim.types))
    return {name: amount - max((one.counts.get(name) or Decimal(0)) for one in types) for name, amount in left.items()}
