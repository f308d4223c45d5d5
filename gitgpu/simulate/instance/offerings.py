"""What Azure sells in a region: offerings (a zone and a capacity type) and their prices.

The order follows createOfferings and pkg/providers/allocationstrategy/stages/offering_rank.go of
Azure/karpenter-provider-azure: by price, and at equal prices spot before on-demand and zones before no zone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from gitgpu.model.catalog import Catalog
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, ZONE_LABEL
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, Requirements, requirement
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods

# MissingPrice of pkg/providers/pricing/pricing.go in Azure/karpenter-provider-azure: a size without a price comes last.
MISSING = 999.0
# AKS zone labels are <region>-<number>; "0" is the label of a node outside the zones.
_IS_ZONE = re.compile("[a-z0-9]+-[1-9]")


OfferingSet: TypeAlias = int  # bit i is offering i; not a NewType, for the reason given at TypeSet
Rank: TypeAlias = tuple[float, bool, bool, str]


class Offering(NamedTuple):
    """An offering: the value of the zone label, and whether it is spot."""

    zone: str
    spot: bool
    labels: Mapping[str, str]


class Offerings:
    """The offerings of a region. Build it once for a cluster: it remembers which offerings meet which requirements.

    `spot` are spot prices by size; those of the command line override those of the catalog. `named` are the zones to
    use if the catalog does not know the zones of the region. `keys` are the labels that offerings set, `own` those in
    which the offerings of two sizes may differ.
    """

    def __init__(self, catalog: Catalog, region: str, spot: Mapping[str, float], named: Iterable[str]) -> None:
        facts = catalog.must("labels", "karpenter")
        row, prices = catalog.facts("regions", region), catalog.facts("prices", region)
        self.region, self.spot = region, {**(prices["spot"] if prices else {}), **spot}
        numbers = row["zones"] if row else None
        self.zones_known = numbers is not None
        self.zoneless = str(facts["zones"]["none"])
        zones = sorted(set(named))
        if numbers is not None:
            zones = [f"{region}-{number}" for number in numbers]
        self.prices: Mapping[str, float] = prices["onDemand"] if prices else {}
        self.own = frozenset({ZONE_LABEL, CAPACITY_TYPE_LABEL, facts["zones"]["scope"]["key"]})
        self.offer(_all_offerings([*zones, self.zoneless], facts))

    def offer(self, offerings: Iterable[Offering]) -> None:
        """Sets the offerings."""
        self.by_number = tuple(offerings)  # bit i of an `OfferingSet` is offering i
        self.every = (1 << len(self.by_number)) - 1
        self._met: dict[tuple[Requirement, ...], int] = {}
        self._labels: dict[OfferingSet, Requirements] = {}
        self.keys = tuple(sorted(set().union(*(offering.labels for offering in self.by_number))))

    def of(self, offered: OfferingSet) -> Iterator[Offering]:
        """The offerings of a set."""
        return (offering for index, offering in enumerate(self.by_number) if offered >> index & 1)

    def where(self, keep: Callable[[Offering], bool]) -> OfferingSet:
        """The set of the offerings for which `keep` is true."""
        return sum(1 << index for index, offering in enumerate(self.by_number) if keep(offering))

    def meeting(self, wanted: Requirements) -> OfferingSet:
        """The offerings that meet the requirements."""
        requirements = tuple(wanted[key] for key in self.keys if key in wanted)
        if requirements not in self._met:
            self._met[requirements] = self.where(lambda offering: _meets(offering, requirements))
        return self._met[requirements]

    def of_size(self, sku: Sku) -> OfferingSet:
        """The offerings of a size in the region; those of unknown availability count."""
        if sku.restricted.get(self.region):
            return 0
        numbers = sku.zones.get(self.region)
        zones = {self.zoneless, *(f"{self.region}-{number}" for number in numbers or ())}

        def is_sold(offering: Offering) -> bool:
            if offering.spot and sku.spot is False:
                return False
            return numbers is None or offering.zone in zones

        return self.where(is_sold)

    def of_agent_pools(self) -> "Offerings":
        """The same offerings for nodes that Karpenter does not create: their only label is the zone."""
        offerings = copy(self)
        offerings.offer(offering._replace(labels={ZONE_LABEL: offering.zone}) for offering in self.by_number)
        return offerings

    def labels(self, offered: OfferingSet) -> Requirements:
        """The possible labels of a node that has one of these offerings."""
        if offered not in self._labels:
            self._labels[offered] = self._labels_of(offered)
        return self._labels[offered]

    def _labels_of(self, offered: OfferingSet) -> Requirements:
        by_key: dict[str, set[str]] = {key: set() for key in self.keys}
        for offering in self.of(offered):
            for key in self.keys:
                by_key[key].add(offering.labels[key])
        return {key: requirement(key, "In", sorted(values)) for key, values in by_key.items()}

    def price(self, sku: Sku, offering: Offering) -> float | None:
        """What an hour costs; for spot only if the command line or the catalog has a price."""
        return self.spot.get(sku.name) if offering.spot else self.prices.get(sku.name)

    def highest_price(self, sku: Sku, offering: Offering) -> float | None:
        """What an hour costs at most: Karpenter never pays more for spot than the on-demand price."""
        price = self.price(sku, offering)
        return self.prices.get(sku.name) if price is None else price

    def rank(self, sku: Sku, offering: Offering) -> Rank:
        """Karpenter's sort key for an offering: the lowest comes first."""
        # Karpenter ranks spot by its live price. Offline, only the on-demand price is known as an upper bound.
        price = MISSING if sku.priced is False else self.highest_price(sku, offering)
        # At equal prices, spot comes before on-demand, and a zone before a node outside the zones.
        return (MISSING if price is None else price, not offering.spot, offering.zone == self.zoneless, sku.name)


def _meets(offering: Offering, requirements: Iterable[Requirement]) -> bool:
    return all(wanted.takes(offering.labels[wanted.key]) for wanted in requirements)


def named_zones(objects: Objects) -> Iterator[str]:
    """The zones that pools and pods name. If the region is unknown, no other zones are known."""
    wanted = [pool.together for pool in node_pools(objects)]
    for pod in pods(objects):
        wanted.extend(pod.terms())
    for requirements in wanted:
        named = requirements[ZONE_LABEL].values if ZONE_LABEL in requirements else ()
        yield from (zone for zone in named if _IS_ZONE.fullmatch(zone))


def _all_offerings(zones: Iterable[str], facts: Mapping[str, Any]) -> Iterator[Offering]:
    """Each zone with each capacity type. An entry of `offerings` in the facts has the labels of a capacity type."""
    row = facts["zones"]
    scope = row["scope"]
    for zone in zones:
        zone_values = {row["key"]: zone, scope["key"]: scope["regional" if zone == row["none"] else "zonal"]}
        for labels in facts["offerings"]:
            yield Offering(zone, "spot" in labels.values(), {**labels, **zone_values})
