"""Where Azure sells a size, and at which list price, as far as the catalog knows."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.dates import evidence_day
from gitgpu.model.sku import Sku


class Sold(NamedTuple):
    """Prices and regions of a size. What is missing here is unknown: Azure may sell the size there.

    `prices` are USD an hour on demand by region, and `spot` the prices of spot nodes. `zones` are the numbers of the
    zones by region, empty if a region has the size without zones. `price` is the price in `region`, or the lowest of
    all regions if that is "". `listed` has the regions for which Azure listed the sizes of a subscription: why it
    cannot use the size, or None if it can. `dates` are those of the price lists by region.
    """

    region: str
    prices: Mapping[str, float]
    zones: Mapping[str, Sequence[str]]
    spot: Mapping[str, float] = {}
    listed: Mapping[str, str | None] = {}
    dates: Mapping[str, str] = {}

    @property
    def price(self) -> float | None:
        """USD an hour on demand; None if unknown."""
        return self.prices.get(self.region) if self.region else min(self.prices.values(), default=None)

    @property
    def price_date(self) -> str | None:
        """The date of the list that `price` is from; None if the price is unknown."""
        cheapest = min(self.prices, key=self.prices.__getitem__, default="")
        region = self.region or cheapest
        return self.dates.get(region) if region in self.prices else None

    @property
    def regions(self) -> tuple[str, ...]:
        """The regions that are known to have the size, in order of name."""
        return tuple(sorted({*self.prices, *self.zones}))


def sale_of(catalog: Catalog, sku: Sku, region: str = "") -> Sold:
    """Prices and regions of a size, with its price in a region."""
    demand, spot = (_prices(catalog, key, sku.name) for key in ("onDemand", "spot"))
    dates = {name: evidence_day(row) for name, row in _rows(catalog).items() if name in demand or name in spot}
    return Sold(region, demand, dict(sorted(sku.zones.items())), spot, dict(sorted(sku.restricted.items())), dates)


def _prices(catalog: Catalog, key: str, size: str) -> Mapping[str, float]:
    return {region: row[key][size] for region, row in _rows(catalog).items() if size in row[key]}


def _rows(catalog: Catalog) -> Mapping[str, Facts]:
    """The price lists by region. A list of the user that cannot be read is omitted, and reported elsewhere."""
    rows = ((name, catalog.facts("prices", name)) for name in catalog.names("prices"))
    return {name: row for name, row in rows if row}


def gpu_memory(sku: Sku) -> float | None:
    """The memory in GiB of each GPU of a node, or of each part of one; None if unknown."""
    return None if sku.gpu is None else float(sku.gpu.memory_gib * Fraction(sku.share))


def node_gpu_memory(sku: Sku) -> float | None:
    """The memory in GiB of all GPUs of a node together; None if unknown."""
    memory = gpu_memory(sku)
    return None if memory is None or sku.gpus is None else memory * sku.gpus
