"""Sizes as text and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gitgpu.access import reach
from gitgpu.model.catalog import Facts
from gitgpu.model.size.availability import Sold
from gitgpu.model.sku import Sku
from gitgpu.report.findings import Style
from gitgpu.report.price_dates import date_range, price_date_note
from gitgpu.report.table import Cell, layout, table
from gitgpu.report.terminal import printable

HEADERS = ("NAME", "GPU", "COUNT", "SHARE", "GPU GiB", "vCPU", "GiB", "DRIVER", "KARPENTER", "STATUS")
# On a terminal that is too narrow for a table of all columns, these are omitted one by one.
_LEAST = ("DRIVER", "STATUS", "REGIONS", "GiB", "vCPU", "KARPENTER")
# In these keys, null means none; in all others it means unknown.
NONE = ("driver", "windowsDriver", "accelerator", "date", "replacement", "reason", "since")


def size(sku: Sku, driver: Facts | None, on_windows: str | None, sale: Sold) -> dict[str, Any]:
    """A size in the JSON report. null is unknown; a driver of nulls means that AKS does not install a driver.

    `on_windows` is the type of driver that AKS installs on Windows nodes, CUDA or GRID.
    """
    fields = {
        "name": sku.name,
        "family": sku.family,
        "series": sku.series,
        "version": sku.version,
        "vcpus": sku.vcpus,
        "memoryGiB": sku.memory_gib,
        "arch": sku.arch,
        "gpu": _gpu(sku),
        "driver": {
            "type": sku.driver,
            "version": reach(driver, "version"),
            "imageSuffix": reach(driver, "imageSuffix"),
        },
        "windowsDriver": on_windows,
        "os": list(sku.os),
        "mig": sku.mig,
        "rdma": sku.rdma,
        "nvlink": sku.nvlink,
        "acceleratedNetworking": sku.accelerated_networking,
        "lifecycle": {"status": sku.lifecycle.status, "date": sku.lifecycle.date},
        **_sale(sale),
    }
    origin = {"catalog": sku.origin} if sku.origin else {}
    return fields | origin


def _sale(sale: Sold) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "pricePerHour": sale.price,
        "priceDate": sale.price_date,
        "prices": dict(sale.prices),
        "priceDates": dict(sale.dates),
        "regions": list(sale.regions),
        "zones": {region: list(zones) for region, zones in sale.zones.items()},
    }
    if sale.spot:
        fields["spotPrices"] = dict(sale.spot)
    if sale.listed:
        fields["restrictions"] = dict(sale.listed)
    return fields


def _gpu(sku: Sku) -> dict[str, Any]:
    gpu = sku.gpu
    if gpu is None:
        return {"manufacturer": None, "model": None, "count": sku.counted_gpus, "share": None, "memoryGiB": None}
    return {
        "manufacturer": gpu.manufacturer,
        "model": gpu.model,
        "count": sku.counted_gpus,
        "share": sku.share,
        "memoryGiB": gpu.memory_gib,
    }


def listing(offers: Sequence[tuple[Sku, Sold]], region: str, style: Style) -> str:
    """A line for each size. The last column is the origin of rows that are not gitgpu's own, if there are any.

    If no table fits with its cells on one line each, the dates of the prices move from a header to a line below it.
    """
    dates = date_range(sale.price_date or "" for _, sale in offers)
    dated, undated = _columns(offers, region, dates), _columns(offers, region, "")
    if text := _fitting(*dated, style):
        return text
    if text := _fitting(*undated, style):
        return f"{text}Prices are of {dates}.\n" if dates else text
    return _fitting(*dated, style, breaks=True) or table(*dated, style)


def _columns(offers: Sequence[tuple[Sku, Sold]], region: str, dates: str) -> tuple[list[str], list[tuple[Cell, ...]]]:
    """The headers and the rows."""
    spot = any(sale.region in sale.spot for _, sale in offers)
    headers = [*HEADERS[:7], *_sale_headers(region, dates, spot=spot), *HEADERS[7:]]  # prices after what they buy
    rows = [_row(sku, sale, spot=spot) for sku, sale in offers]
    if not any(sku.origin for sku, _ in offers):
        return headers, rows
    origins = (sku.origin or "gitgpu" for sku, _ in offers)
    return [*headers, "FROM"], [(*row, origin) for row, origin in zip(rows, origins, strict=True)]


def _fitting(headers: Sequence[str], rows: Sequence[Sequence[Cell]], style: Style, *, breaks: bool = False) -> str:
    """The table with as many columns as fit; "" if too few fit. With `breaks`, cells may have several lines."""
    kept = list(range(len(headers)))
    empty = [header for index, header in enumerate(headers) if all(row[index] is None for row in rows)]
    for header in (None, *_LEAST, *empty):
        kept = [index for index in kept if headers[index] != header]
        shown = layout([headers[index] for index in kept], [[row[index] for index in kept] for row in rows], style)
        if shown.head and (breaks or not any("\n" in row[:-1] for row in shown.rows)):
            return shown.head + "".join(shown.rows)
    return ""


def _sale_headers(region: str, dates: str, *, spot: bool) -> tuple[str, ...]:
    """The headers of prices, with the dates of the price lists, and of places."""
    price = f"$/h ({dates})" if dates else "$/h"
    if not region:
        return f"LOWEST {price}", "REGIONS"
    return (price, "SPOT $/h", "ZONES") if spot else (price, "ZONES")


def _row(sku: Sku, sale: Sold, *, spot: bool) -> tuple[Cell, ...]:
    gpu = _gpu(sku)
    facts = (sku.gpus, gpu["share"], gpu["memoryGiB"], sku.vcpus, sku.memory_gib)
    prices = [_dollars(sale.price)]
    if spot:
        prices.append(_dollars(sale.spot.get(sale.region)))
    where = _zones(sale) if sale.region else len(sale.regions) or None
    life = " ".join(filter(None, (sku.lifecycle.status, sku.lifecycle.date)))
    return (sku.name, gpu["model"], *facts, *prices, where, sku.driver, sku.offer, life)


def _dollars(price: float | None) -> str | None:
    return None if price is None else f"{price:,.3f}"


def _zones(sale: Sold) -> str | None:
    """The zones of a size in the region of `--region`; None if unknown."""
    if sale.listed.get(sale.region):
        return "restricted"
    zones = sale.zones.get(sale.region)
    return None if zones is None else ",".join(zones) or "none"


def sale_lines(sale: Sold) -> str:
    """The price of a size and its regions, as text."""
    regions = ", ".join(sale.regions) or "unknown"
    spot = ", ".join(_price(sale.spot, region) for region in sorted(sale.spot))
    return (
        f"price per hour: {_price_range(sale.prices)}{_dates(sale, sale.prices)}\n"
        + (f"spot price per hour: {spot}{_dates(sale, sale.spot)}\n" if spot else "")
        + f"regions: {regions}\n{_lists(sale)}"
    )


def _dates(sale: Sold, regions: Iterable[str]) -> str:
    return price_date_note(sale.dates.get(region, "") for region in regions)


def _price_range(prices: Mapping[str, float]) -> str:
    if not prices:
        return "unknown"
    by_price = sorted(prices, key=lambda region: (prices[region], region))
    low, high = by_price[0], by_price[-1]
    if prices[low] == prices[high]:
        return f"${prices[low]:,.3f} on demand"
    return f"{_price(prices, low)} to {_price(prices, high)} on demand"


def _price(prices: Mapping[str, float], region: str) -> str:
    return f"${prices[region]:,.3f} ({region})"


def _lists(sale: Sold) -> str:
    """What Azure listed for the subscription, as text."""
    text = "for the subscription:\n" if sale.listed else ""
    for region, why in sale.listed.items():
        zones = ", ".join(sale.zones.get(region, ()))
        offer = f"zones {zones}" if zones else "without zones"
        if why:
            offer = printable(f"no: {why}")
        text += f"  {region}: {offer}\n"
    return text


def page(facts: Mapping[str, Any], indent: str = "") -> str:
    """A complete catalog row: one line for each fact; unknown facts are marked."""
    lines = []
    for key, value in facts.items():
        if isinstance(value, Mapping) and value:
            lines.append(f"{indent}{_text(key)}:\n{page(value, indent + '  ')}")
        elif isinstance(value, list) and key in ("source", "notes"):
            lines.append(f"{indent}{key}:\n" + "".join(f"{indent}  - {_text(item)}\n" for item in value))
        else:
            text = "none" if value is None and key in NONE else _text(value)
            lines.append(f"{indent}{_text(key)}: {text}\n")
    return "".join(lines)


def _text(value: Any) -> str:
    if value is None or value == {}:  # no source confirms the zones of any region
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "none"
    return printable(str(value).replace("\n", " "))
