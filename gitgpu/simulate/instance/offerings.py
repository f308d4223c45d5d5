"""What Azure sells in a region: offerings (a zone and a capacity type) and their prices.

The order is that of createOfferings and pkg/providers/allocationstrategy/stages/offering_rank.go of
Azure/karpenter-provider-azure: by price, and at one price spot before on-demand and zones before no zone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.workload.pods import pods
from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, Requirements, requirement
from gitgpu.simulate.pod.label_selectors import ZONE

CAPACITY = "karpenter.sh/capacity-type"
MISSING = 999.0  # the price that Karpenter assumes for a size without a known price: it is tried last
# Zone labels of AKS are <region>-<number>; "0" is the label of a node outside the zones.
_IS_ZONE = re.compile("[a-z0-9]+-[1-9]")


OfferingSet: TypeAlias = int  # bit i is offering i; not a NewType, for the reason given at TypeSet


class Slot(NamedTuple):
    """An offering: the value of the zone label, and whether it is spot."""

    zone: str
    spot: bool
    labels: Mapping[str, str]


class Offerings:
    """The offerings of a region. Build it once for a cluster: it remembers which offerings meet which requirements.

    `spot` are prices of spot nodes by size, from the command line, before those of the catalog; `named` are zones for
    where the catalog knows none.
    `own` are the labels in which the offerings of two sizes may differ.
    """

    def __init__(self, catalog: Catalog, region: str, spot: Mapping[str, float], named: Iterable[str]) -> None:
        facts = catalog.must("labels", "karpenter")
        row, prices = catalog.facts("regions", region), catalog.facts("prices", region)
        self.region, self.spot = region, {**(prices["spot"] if prices else {}), **spot}
        self.known = row is not None and row["zones"] is not None
        self.nowhere = str(facts["zones"]["none"])
        zones = (
            [f"{region}-{number}" for number in row["zones"]]
            if row and row["zones"] is not None
            else sorted(set(named))
        )
        self.prices: Mapping[str, float] = prices["onDemand"] if prices else {}
        self.slots = tuple(_slot(zone, way, facts["zones"]) for zone in (*zones, self.nowhere) for way in _ways(facts))
        self.every = (1 << len(self.slots)) - 1
        self.own = frozenset({ZONE, CAPACITY, facts["zones"]["scope"]["key"]})
        self._met: dict[tuple[Requirement, ...], int] = {}
        self._keys = tuple(sorted({key for slot in self.slots for key in slot.labels}))

    def meeting(self, wanted: Requirements) -> int:
        """The offerings that meet the requirements, a bit each."""
        asked = tuple(wanted[key] for key in self._keys if key in wanted)
        if asked not in self._met:
            self._met[asked] = self._bits(lambda slot: _meets(slot, asked))
        return self._met[asked]

    def sold(self, sku: Sku) -> int:
        """The offerings that a size has here, as far as nothing is known against them."""
        if sku.restricted.get(self.region):
            return 0
        zones = sku.zones.get(self.region)
        own = None if zones is None else {self.nowhere, *(f"{self.region}-{number}" for number in zones)}

        def is_sold(slot: Slot) -> bool:
            in_zone = own is None or slot.zone in own
            return in_zone and not (slot.spot and sku.spot is False)

        return self._bits(is_sold)

    def _bits(self, keep: Callable[[Slot], bool]) -> int:
        """The set of the offerings that are kept, a bit each."""
        found = 0
        for at, slot in enumerate(self.slots):
            if keep(slot):
                found |= 1 << at
        return found

    def labels(self, slots: OfferingSet) -> dict[str, Requirement]:
        """What the labels of a node may be that has one of these offerings."""
        found: dict[str, set[str]] = {key: set() for key in self._keys}
        for at, slot in enumerate(self.slots):
            for key in self._keys if slots >> at & 1 else ():
                found[key].add(slot.labels[key])
        return {key: requirement(key, "In", sorted(values)) for key, values in found.items()}

    def price(self, sku: Sku, slot: Slot) -> float | None:
        """What an hour costs; of spot only where the command line or the catalog says so."""
        return self.spot.get(sku.name) if slot.spot else self.prices.get(sku.name)

    def most(self, sku: Sku, slot: Slot) -> float | None:
        """What an hour costs at most: Karpenter bids for spot no more than the price on demand."""
        price = self.price(sku, slot)
        return self.prices.get(sku.name) if price is None else price

    def rank(self, sku: Sku, slot: Slot) -> tuple[float, bool, bool, str]:
        """Where Karpenter puts an offering: the least comes first."""
        # Karpenter ranks spot by its live price. Offline, only the on-demand price is known as an upper bound.
        price = MISSING if sku.priced is False else self.most(sku, slot)
        # Of equal prices, spot comes before on-demand, and a zone before a node outside the zones.
        return (MISSING if price is None else price, not slot.spot, slot.zone == self.nowhere, sku.name)


def _meets(slot: Slot, asked: Iterable[Requirement]) -> bool:
    return all(wanted.takes(slot.labels[wanted.key]) for wanted in asked if wanted.key in slot.labels)


def named_zones(objects: Objects) -> Iterator[str]:
    """The zones that pools and pods name: all that is known of zones without a region."""
    wanted = [pool.together for pool in node_pools(objects)]
    wanted += [term for pod in pods(objects) for term in pod.terms()]
    for requirements in wanted:
        named = requirements[ZONE].values if ZONE in requirements else ()
        yield from (zone for zone in named if _IS_ZONE.fullmatch(zone))


def _ways(facts: Mapping[str, object]) -> Iterable[Mapping[str, str]]:
    ways = facts["offerings"]
    return ways if isinstance(ways, list) else []


def _slot(zone: str, way: Mapping[str, str], zones: Mapping[str, object]) -> Slot:
    scope = zones["scope"]
    named = scope if isinstance(scope, dict) else {}
    place = {str(zones["key"]): zone, named["key"]: named["regional" if zone == zones["none"] else "zonal"]}
    return Slot(zone, "spot" in way.values(), {**way, **place})
