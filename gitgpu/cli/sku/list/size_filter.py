"""The sizes that `sku list` shows, and their order."""

import re
from math import inf, isfinite
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.parameters import Callback, as_field
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.availability import Sold, gpu_memory, node_gpu_memory, sale_of
from gitgpu.model.size.size_selection import plain
from gitgpu.model.sku import Sku


class Offer(NamedTuple):
    """A size, and how Azure sells it."""

    sku: Sku
    sale: Sold


STATUSES = ("active", "announced", "retired", "never-offered", "unknown")


class SizeFilter(NamedTuple):
    """The options of `sku list`; None or "" if not given. A size with an unknown value does not match."""

    model: str | None
    status: str | None
    region: str
    gpu_memory: float | None
    mig: bool | None
    rdma: bool | None
    max_price: float | None
    sort: str | None

    def offers(self, catalog: Catalog) -> list[Offer]:
        """The sizes that match. Raises click.BadParameter for a region that does not exist."""
        region = known_region(self.region, catalog)
        matching = [Offer(sku, sale_of(catalog, sku, region)) for sku in catalog.skus if self._fits(sku)]
        priced_offers = [offer for offer in matching if self._is_sold(offer.sale)]
        return sorted(priced_offers, key=_ORDERS[self.sort]) if self.sort else priced_offers

    def _fits(self, sku: Sku) -> bool:
        if self.model is not None and (sku.gpu is None or plain(sku.gpu.model) != plain(self.model)):
            return False
        memory = gpu_memory(sku)
        if self.gpu_memory is not None and (memory is None or memory < self.gpu_memory):
            return False
        if self.status not in (None, sku.lifecycle.status):
            return False
        return self.mig in (None, sku.mig) and self.rdma in (None, sku.rdma)

    def _is_sold(self, sale: Sold) -> bool:
        if sale.region and sale.region not in sale.regions:
            return False
        return self.max_price is None or (sale.price is not None and sale.price <= self.max_price)


def filters(function: Callback) -> Callback:
    """The options of a SizeFilter. Passed as `wanted`."""
    return as_field("wanted", SizeFilter, _OPTIONS)(function)


def _cheapest(offer: Offer) -> tuple[float, str]:
    return (inf if offer.sale.price is None else offer.sale.price, offer.sku.name)


def _most_gpus(offer: Offer) -> tuple[float, str]:
    return (-(offer.sku.gpus or 0), offer.sku.name)


def _most_memory(offer: Offer) -> tuple[float, str]:
    return (-(node_gpu_memory(offer.sku) or 0), offer.sku.name)


_ORDERS = {"price": _cheapest, "gpus": _most_gpus, "memory": _most_memory}


def _gibibytes(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    if text is None:
        return None
    number = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(?:Gi|GiB)?", text.strip(), re.ASCII)
    if number is None:
        raise click.BadParameter(f"'{text}' is not an amount in GiB such as 80")
    return float(number[1])


def _dollars(_: click.Context, __: click.Parameter, price: float | None) -> float | None:
    if price is not None and not isfinite(price):  # click takes inf and nan for numbers
        raise click.BadParameter(f"'{price}' is not a price")
    return price


_OPTIONS = (
    click.option("--model", metavar="MODEL", help="Only sizes with this GPU, e.g. A100."),
    click.option("--status", type=click.Choice(STATUSES), help="Only sizes with this lifecycle status."),
    click.option(
        "--region",
        default="",
        metavar="REGION",
        help="Only sizes known to be sold in this region, with its prices and zones, e.g. eastus.",
    ),
    click.option(
        "--gpu-memory",
        callback=_gibibytes,
        metavar="GIB",
        help="Only sizes whose GPUs, or fractions of a GPU, have at least this many GiB each, e.g. 80.",
    ),
    click.option("--mig/--no-mig", default=None, help="Only sizes with MIG, or only sizes without."),
    click.option("--rdma/--no-rdma", default=None, help="Only sizes with RDMA, or only sizes without."),
    click.option(
        "--max-price",
        type=options.number(0),
        callback=_dollars,
        metavar="USD",
        help="Only sizes with at most this on-demand price per hour, in --region or in the cheapest region.",
    ),
    click.option(
        "--sort",
        type=click.Choice(tuple(_ORDERS)),
        help="Sort by price (cheapest first), or by GPUs or GPU memory of a node (most first).  [default: by name]",
    ),
)
