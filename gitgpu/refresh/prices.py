"""Rows of prices: those that differ from gitgpu's, and the day on which they were looked up."""

from collections.abc import Iterable, Mapping

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.refresh.answers.prices import CURRENCY, Price
from gitgpu.refresh.row import CatalogUpdate, OwnedRow, Unknown, contradiction

KIND = "prices"
SOURCE = "https://prices.azure.com/api/retail/prices"


def listed_prices(prices: Iterable[Price], catalog: Catalog, day: str) -> CatalogUpdate:
    """A row for each region. Sizes that are not in the catalog are skipped: most of them have no GPU."""
    regions: dict[str, dict[tuple[str, bool], Price]] = {}
    unknown: dict[str, Unknown] = {}
    faults = []
    for price in prices:
        name = catalog.sku_names.get(price.size.lower())
        if name is None or not _is_valid(price, day):
            continue
        if catalog.facts("regions", price.region) is None:
            unknown.setdefault(price.region, Unknown("region", price.region, price.item.span("armRegionName")))
            continue
        sizes = regions.setdefault(price.region, {})
        first = sizes.setdefault((name, price.spot), price)
        sizes[name, price.spot] = max(first, price, key=_rank)
        if _rank(price) == _rank(first) and price.usd != first.usd:
            faults.append(contradiction(f"the price of {name} in {price.region}", first.item, price.item))
    ours = CatalogFiles()
    rows = [_row(region, sizes, ours, day) for region, sizes in sorted(regions.items())]
    return CatalogUpdate(tuple(rows), tuple(unknown.values()), tuple(faults))


def _is_valid(price: Price, day: str) -> bool:
    return price.since <= day and not (price.until and price.until < day)


def _rank(price: Price) -> tuple[str, bool]:
    """Of several meters, the newest one counts; if they are equally new, one that is billed in the region."""
    return price.since, price.primary


def _row(region: str, sizes: Mapping[tuple[str, bool], Price], ours: CatalogFiles, day: str) -> OwnedRow:
    row = ours.row(KIND, region)
    whole: dict[str, object] = {} if row else {"currency": CURRENCY, "unit": "hour"}
    keys = {**whole, "date": day}
    for key, spot in (("onDemand", False), ("spot", True)):
        catalog_prices = row.data[key] if row else {}
        prices = {name: price.usd for (name, is_spot), price in sorted(sizes.items()) if is_spot is spot}
        changed = {name: usd for name, usd in prices.items() if catalog_prices.get(name) != usd}
        keys[key] = None if row and not changed else changed  # a row without a row of gitgpu's has all keys
    return OwnedRow(KIND, region, row is not None, keys, SOURCE, day)
