"""The VM sizes that a pool can use. A set of sizes is a number with one bit per size.

A thousand workloads have the same few requirements on the sizes of a hundred pools. Each requirement is compared with
all sizes once, and the sizes that meet several requirements are an `and` of two numbers.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypeAlias

from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, Requirements, meets
from gitgpu.simulate.instance.offerings import Offerings, OfferingSet, Rank
from gitgpu.simulate.pod.host_ports import HostPort, is_taken

# Bit i is type i. One `&` replaces a walk over a frozenset. Not a NewType: `&` of two of these is an int for mypy,
# and a helper for each operator costs a call in the innermost loop.
TypeSet: TypeAlias = int
Amounts = Mapping[str, Decimal | None]
_ALL = Decimal("Infinity")  # an unknown amount is assumed to be enough


class NodeType(NamedTuple):
    """A size, as the nodes of a pool.

    `offers` is what the autoscaler expects a new node to offer to pods, `holds` what the scheduler sees once the node
    is up, and `counts` what the node uses of the limits. An amount of None is unknown. `ports` are the host ports that
    its DaemonSets use.
    """

    sku: Sku
    labels: Requirements
    offers: Amounts
    holds: Amounts
    counts: Amounts
    ports: frozenset[HostPort] = frozenset()


class InstanceTypes:
    """Node types in order of name; bit i of a set is type i."""

    def __init__(self, types: Iterable[NodeType], offerings: Offerings) -> None:
        self.types, self.offerings = tuple(types), offerings
        self.every = (1 << len(self.types)) - 1
        self._sold = [offerings.of_size(type_.sku) for type_ in self.types]
        self._labelled: dict[Requirement, TypeSet] = {}
        self._sale: dict[OfferingSet, TypeSet] = {}
        self._steps: dict[tuple[str, bool], tuple[list[Decimal], list[TypeSet]]] = {}
        self._counted: dict[tuple[str, Decimal], TypeSet] = {}
        self._maximum: dict[tuple[TypeSet, str, bool], Decimal] = {}
        self._best: dict[tuple[TypeSet, OfferingSet], tuple[int, int]] = {}
        self._ported: dict[frozenset[HostPort], TypeSet] = {frozenset(): self.every}

    def meeting(self, wanted: Iterable[Requirement]) -> TypeSet:
        """The types with labels that meet all requirements. A label that a type does not have counts as absent."""
        matching = self.every
        for requirement in wanted:
            if requirement not in self._labelled:
                self._labelled[requirement] = self._where(partial(_meets, requirement))
            matching &= self._labelled[requirement]
        return matching

    def fitting(self, requests: Mapping[str, Decimal], *, up: bool = False) -> TypeSet:
        """The types with room for these requests: as the autoscaler expects a new node, or as it is once it is `up`."""
        matching = self.every
        for name, amount in requests.items():
            if (name, up) not in self._steps:
                self._steps[name, up] = self._thresholds(name, up=up)
            amounts, types = self._steps[name, up]
            at = bisect_left(amounts, amount)  # the smallest amount that is enough; its set of types is stored
            matching &= types[at] if at < len(types) else 0
        return matching

    def without(self, ports: frozenset[HostPort]) -> TypeSet:
        """The types on which no DaemonSet uses these ports of the node."""
        if ports not in self._ported:
            self._ported[ports] = self._where(lambda node_type: not is_taken(ports, node_type.ports))
        return self._ported[ports]

    @property
    def bearing(self) -> TypeSet:
        """The types that have room for their DaemonSets."""
        return self._where(lambda node_type: all(amount is None or amount >= 0 for amount in node_type.offers.values()))

    def counting(self, name: str, maximum: Decimal) -> TypeSet:
        """The types that use no more than `maximum` of a limit. An unknown amount counts as 0."""
        if (name, maximum) not in self._counted:
            self._counted[name, maximum] = self._where(lambda node_type: (node_type.counts.get(name) or 0) <= maximum)
        return self._counted[name, maximum]

    def maximum(self, types: TypeSet, name: str, *, up: bool = True) -> Decimal:
        """The largest amount of a resource that one of these types has."""
        key = (types, name, up)
        if key not in self._maximum:
            amounts = (_amount(node_type, name, up=up) for node_type in self.of(types))
            self._maximum[key] = max(amounts)
        return self._maximum[key]

    def selling(self, offered: OfferingSet) -> TypeSet:
        """The types that have at least one of these offerings."""
        if offered not in self._sale:
            self._sale[offered] = sum(1 << index for index, sold in enumerate(self._sold) if sold & offered)
        return self._sale[offered]

    def of(self, types: TypeSet) -> Iterator[NodeType]:
        """The types of a set."""
        return (type_ for index, type_ in enumerate(self.types) if types >> index & 1)

    def best(self, types: TypeSet, offered: OfferingSet) -> tuple[int, int]:
        """The numbers of the type and offering that Karpenter prefers. At least one type must have an offering."""
        if (types, offered) not in self._best:
            self._best[types, offered] = min(self._ranked(types, offered))[1:]
        return self._best[types, offered]

    def _ranked(self, types: TypeSet, offered: OfferingSet) -> Iterator[tuple[Rank, int, int]]:
        """Yields Karpenter's rank of each type with each of its offerings, and the numbers of both."""
        for type_number, node_type in enumerate(self.types):
            if types >> type_number & 1:
                for number in self._offering_numbers(type_number, offered):
                    yield self.offerings.rank(node_type.sku, self.offerings.by_number[number]), type_number, number

    def alike(self, type_number: int, offering_number: int, offered: OfferingSet) -> OfferingSet:
        """The offerings of the type with the same capacity type and price."""
        sku, offerings = self.types[type_number].sku, self.offerings
        rank = offerings.rank(sku, offerings.by_number[offering_number])
        same = 0
        for number in self._offering_numbers(type_number, offered):
            if offerings.rank(sku, offerings.by_number[number]) == rank:
                same |= 1 << number
        return same

    def _offering_numbers(self, type_number: int, offered: OfferingSet) -> Iterator[int]:
        both = self._sold[type_number] & offered
        return (number for number in range(len(self.offerings.by_number)) if both >> number & 1)

    def _where(self, test: Callable[[NodeType], bool]) -> TypeSet:
        return sum(1 << index for index, type_ in enumerate(self.types) if test(type_))

    def _thresholds(self, name: str, *, up: bool) -> tuple[list[Decimal], list[TypeSet]]:
        """The amounts of a resource that types have, ascending, and the types that have at least each amount."""
        amounts = [_amount(node_type, name, up=up) for node_type in self.types]
        # Every amount is a threshold at which the set of sizes changes; between two of them it is the same.
        steps = sorted(set(amounts))
        return steps, [_at_least(step, amounts) for step in steps]


def _at_least(minimum: Decimal, amounts: Iterable[Decimal]) -> TypeSet:
    """The types with at least this much, given what each type has."""
    return sum(1 << index for index, amount in enumerate(amounts) if amount >= minimum)


def _meets(wanted: Requirement, node_type: NodeType) -> bool:
    own = node_type.labels.get(wanted.key)
    # No label means that the fact is unknown. An unknown fact must not rule a size out.
    return own is None or meets(own, wanted)


def _amount(node_type: NodeType, name: str, *, up: bool) -> Decimal:
    amounts = node_type.holds if up else node_type.offers
    amount = amounts.get(name, Decimal(0))
    return _ALL if amount is None else amount
