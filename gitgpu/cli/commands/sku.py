"""Show the Azure GPU sizes and their properties: list, show, compare."""

from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.global_options import named_config
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.input.size_filter import SizeFilter, filters, priced_in
from gitgpu.cli.output.refusal import UnreadableError, nameless, refuse_files, refuse_name
from gitgpu.cli.output.streams import line, say, send
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.configuration.files import read_config
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog, Facts, catalog
from gitgpu.model.size.availability import Sold, sold
from gitgpu.model.size.size_selection import plain
from gitgpu.model.sku import Sku
from gitgpu.report.envelope import envelope
from gitgpu.report.size_comparison import comparable, comparison, differences
from gitgpu.report.sizes import listing, page, sale_lines, size
from gitgpu.spelling import nearest

MIN_COMPARED = 2


@click.group("sku", short_help=__doc__)
def COMMAND() -> None:
    """Show the Azure GPU sizes and their properties."""


@COMMAND.command("list")
@filters
@options.answer_format
@options.colour
def list_sizes(wanted: SizeFilter, output_format: str, colour: str) -> int:
    """List GPU sizes with their on-demand list prices in USD (- means unknown).

    \b
    gitgpu sku list --model H100
    gitgpu sku list --region westeurope --gpu-memory 40 --sort price
    gitgpu sku list --status active -o json
    """
    facts = _catalog()
    unknown = _unknown(facts, wanted.model) if wanted.model is not None else None
    if unknown:
        return refuse_name(unknown, output_format)
    offers = wanted.offers(facts)
    if facts.files.faults:
        refuse_files(facts.files.faults, output_format)
    if output_format == "text":
        style = options.style(colour)
        say(listing(offers, wanted.region, style), colour=style.colour)
    elif not facts.files.faults:
        send(envelope("SkuList", {"skus": [_size(facts, sku, sale) for sku, sale in offers]}))
    return int(bool(facts.files.faults))


@COMMAND.command("show")
@click.argument("name")
@options.answer_format
def show(name: str, output_format: str) -> int:
    """Show everything known about the size NAME (case-insensitive), with sources.

    \b
    gitgpu sku show Standard_NC24ads_A100_v4
    """
    facts = _catalog()
    sku = facts.sku(name)
    if sku is None:
        return refuse_name(_unknown_size(facts, name), output_format)
    sale = sold(facts, sku)
    if facts.files.faults:
        refuse_files(facts.files.faults, output_format)
    if output_format == "text":
        _show(facts, sku, sale)
    elif not facts.files.faults:
        send(envelope("Sku", {"sku": _size(facts, sku, sale), "row": sku.row, "driver": _driver(facts, sku)}))
    return int(bool(facts.files.faults))


@COMMAND.command("compare")
@click.argument("sizes", nargs=-1, required=True, metavar="NAME NAME...")
@priced_in
@options.answer_format
@options.colour
def compare(sizes: tuple[str, ...], region: str, output_format: str, colour: str) -> int:
    """Compare sizes side by side and mark the differences.

    \b
    gitgpu sku compare Standard_NC24ads_A100_v4 Standard_NC40ads_H100_v5
    gitgpu sku compare NC16as_T4_v3 NC8as_T4_v3 --region eastus -o json
    """
    if len(sizes) < MIN_COMPARED:
        raise click.UsageError("pass the names of at least two sizes")
    facts = _catalog()
    place = known_region(region, facts)
    unknown = next((name for name in sizes if facts.sku(name) is None), None)
    if unknown is not None:
        return refuse_name(_unknown_size(facts, unknown), output_format)
    skus = filter(None, map(facts.sku, sizes))
    compared = [comparable(_size(facts, sku, sold(facts, sku, place)), sku) for sku in skus]
    if facts.files.faults:
        refuse_files(facts.files.faults, output_format)
    if output_format == "text":
        style = options.style(colour)
        say(comparison(compared, style), colour=style.colour)
    elif not facts.files.faults:
        send(envelope("SkuComparison", {"skus": compared, "differences": differences(compared)}))
    return int(bool(facts.files.faults))


def _show(facts: Catalog, sku: Sku, sale: Sold) -> None:
    driver, windows = _driver(facts, sku), windows_driver(facts, sku)
    if sku.origin:
        line(f"from: {sku.origin}", err=False)
    say(page(sku.row) + sale_lines(sale))
    if driver:
        say("driver that AKS installs:\n" + page(driver, "  "))
    if windows:
        line(f"driver that AKS installs on Windows: {windows}", err=False)


def _size(facts: Catalog, sku: Sku, sale: Sold) -> dict[str, Any]:
    return size(sku, _driver(facts, sku), windows_driver(facts, sku), sale)


def _unknown_size(facts: Catalog, name: str) -> Diagnostic:
    """The fault of a size that is not in the catalog."""
    wrong, remedy = facts.unknown_size(name)
    return nameless("LNK007", f"'{name}' {wrong}", remedy)


def _unknown(catalog: Catalog, model: str) -> Diagnostic | None:
    """The fault of a GPU model that no size has."""
    models = sorted({sku.gpu.model for sku in catalog.skus if sku.gpu})
    if plain(model) in map(plain, models):
        return None
    closest = nearest(model, models)
    hint = f"did you mean {closest}?" if closest else f"known GPUs: {', '.join(models)}"
    return nameless("CLI002", f"no size has the GPU '{model}'", hint)


def _catalog() -> Catalog:
    """The catalog with the user's own rows. Raises UnreadableError if the configuration cannot be read."""
    config, faults = read_config(file=named_config())
    if faults:
        raise UnreadableError("the configuration cannot be read", faults)
    return catalog(config.catalog)


def _driver(catalog: Catalog, sku: Sku) -> Facts | None:
    return catalog.facts("drivers", sku.driver) if sku.driver else None
