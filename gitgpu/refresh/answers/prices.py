"""The prices of VMs in pages of Azure's retail prices API (https://prices.azure.com/api/retail/prices).

The same prices are used as in Karpenter: meters of type Consumption, without Windows and Low Priority. Meters whose
skuName ends in Spot are for spot VMs
(https://github.com/Azure/karpenter-provider-azure/blob/00493fcc6b81ce5eff84598ba0e0322d1c783abc/pkg/providers/pricing/pricing.go).
Format of a page and its items:
https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.text import Text
from gitgpu.refresh.answers.json_items import Item, items, place_at
from gitgpu.refresh.answers.recognition import PRICES, foreign, has
from gitgpu.refresh.answers.sizes import plain_region
from gitgpu.source import Span

OPTION = "--prices"
CURRENCY = "USD"
_KEYS = ("retailPrice", "armSkuName", "armRegionName", "currencyCode", "type")
_AGAIN = "fetch the page again, and pass it as the API sends it"
# The address of the next page; null on the last one.
_LINK = re.compile(r'"NextPageLink"\s*:\s*(?:null|"([^"]*)")')
# The number of items on a page.
_COUNT = re.compile(r'"Count"\s*:\s*([0-9]{1,9})\b')
# The number of items that the next page skips, as $skip=1000 or %24skip=1000.
_SKIP = re.compile(r"[?&](?:\$|%24)skip=([0-9]{1,9})(?![0-9])", re.IGNORECASE)
_MACHINES, _HOUR = "Virtual Machines", "1 Hour"


class Price(NamedTuple):
    """The price of a size in a region, in USD an hour, valid from the day `since` to the day `until` ("" if unlimited).

    `primary` is false for a meter that Azure bills in another region.
    """

    size: str
    region: str
    spot: bool
    usd: float
    since: str
    until: str
    primary: bool
    item: Item


class Page(NamedTuple):
    """A page of prices in a text: the number of its items, and the link to the next page ("" on the last page)."""

    items: int
    link: str
    place: Span


def pages(text: Text) -> list[Page]:
    """The pages in a text; none if a query has kept only the items."""
    counts = [int(match[1]) for match in _COUNT.finditer(text.content)]
    links = list(_LINK.finditer(text.content))
    if len(counts) != len(links):
        return []
    return [Page(items, link[1] or "", place_at(text, link.start())) for items, link in zip(counts, links, strict=True)]


def missing_pages(listed: Sequence[Page]) -> Iterator[Diagnostic]:
    """The pages that are missing: before a page that is not the first, and after one that is not the last."""
    # The pages of each query, by the number of items up to their end, which the link to the next page skips.
    queries: dict[str, dict[int, Page]] = {}
    for page in listed:
        if at := _SKIP.search(page.link):
            queries.setdefault(_SKIP.sub("", page.link), {})[int(at[1])] = page
    for by_end in queries.values():
        for end, page in sorted(by_end.items()):
            if end > page.items and end - page.items not in by_end:
                yield _missing(page, "before")
    # The last page of a query has no link that names the query, so last pages are only counted.
    if len(queries) > sum(1 for page in listed if not page.link):
        for by_end in queries.values():
            yield _missing(by_end[max(by_end)], "after")


def _missing(page: Page, side: str) -> Diagnostic:
    remedy = f"fetch every page, including those in NextPageLink, and pass them together with {OPTION}"
    return fault("CAT020", f"the page of prices {side} this page is missing", remedy, page.place)


def prices(text: Text) -> tuple[list[Price], list[Diagnostic]]:
    """The prices of Linux VMs on some pages, and their faults."""
    all_prices: list[Price] = []
    is_empty = True
    for item in items(text, ("Items",)):
        if isinstance(item, Diagnostic):
            return all_prices, [item._replace(help=_AGAIN)]
        if not has(item.data, _KEYS):
            return all_prices, [foreign(item, PRICES, OPTION)]
        if item.data["currencyCode"] != CURRENCY:
            return all_prices, [_other_currency(item)]
        is_empty = False
        if _counts(item.data):
            price = _price(item)
            if isinstance(price, Diagnostic):
                return all_prices, [price]
            all_prices.append(price)
    if all_prices:
        return all_prices, []
    message = "the list is empty" if is_empty else "contains no price for a Linux machine"
    remedy = "check the filter: serviceName eq 'Virtual Machines' and priceType eq 'Consumption'"
    return all_prices, [fault("CAT012", message, remedy, Span(text.name, 1, 1))]


def _counts(data: Mapping[str, Any]) -> bool:
    windows = str(data.get("productName", "")).endswith(" Windows")
    low_priority = _ends(data, " Low Priority")
    # Users may have removed these two keys with a query.
    is_machine = data.get("serviceName", _MACHINES) == _MACHINES and data.get("unitOfMeasure", _HOUR) == _HOUR
    # A meter without a price is for a size that is not sold, and tiers are for other services.
    sold = data["retailPrice"] != 0 and not data.get("tierMinimumUnits") and bool(data["armSkuName"])
    return data["type"] == "Consumption" and is_machine and sold and not windows and not low_priority


def _ends(data: Mapping[str, Any], ending: str) -> bool:
    return any(str(data.get(key, "")).endswith(ending) for key in ("skuName", "meterName"))


def _price(item: Item) -> Price | Diagnostic:
    data = item.data
    usd = data["retailPrice"]
    if isinstance(usd, bool) or not isinstance(usd, int | float) or not 0 < usd < inf:  # Python's json also reads NaN
        message = f"retailPrice is {usd!r}, not a price"
        return fault("CAT011", message, _AGAIN, item.span("retailPrice"))
    # The first ten characters of a date are the day: 2027-06-30T00:00:00Z.
    since, until = (str(data.get(key) or "")[:10] for key in ("effectiveStartDate", "effectiveEndDate"))
    spot = _ends(data, " Spot")
    place = plain_region(data["armRegionName"])
    return Price(
        size=str(data["armSkuName"]),
        region=place,
        spot=spot,
        usd=usd,
        since=since,
        until=until,
        primary=bool(data.get("isPrimaryMeterRegion")),
        item=item,
    )


def _other_currency(item: Item) -> Diagnostic:
    message = f"prices in {item.data['currencyCode']}; the catalog has prices in {CURRENCY}"
    remedy = "fetch them again without the parameter currencyCode"
    return fault("CAT013", message, remedy, item.span("currencyCode"))
