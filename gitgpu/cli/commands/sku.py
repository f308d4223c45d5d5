"""Show the GPU sizes of Azure and their properties: list, show."""

import click

from gitgpu.cli import options
from gitgpu.cli.global_options import named_config
from gitgpu.cli.out import line, say, send
from gitgpu.cli.refusal import UnreadableError, nameless, refuse_files, refuse_name
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.config_files import read_config
from gitgpu.model.catalog import Catalog, Facts, catalog
from gitgpu.model.nodepool import windows_driver
from gitgpu.model.size.size_selection import plain
from gitgpu.model.sku import Sku
from gitgpu.report.envelope import envelope
from gitgpu.report.sizes import listing, page, size

STATUSES = ("active", "announced", "retired", "never-offered", "unknown")


@click.group("sku", short_help=__doc__)
def COMMAND() -> None:
    """Show the GPU sizes of Azure and their properties."""


@COMMAND.command("list")
@click.option("--model", metavar="MODEL", help="Only sizes with this GPU, e.g. A100.")
@click.option("--status", type=click.Choice(STATUSES), help="Only sizes with this lifecycle status.")
@options.answer_format
@options.colour
def list_sizes(model: str | None, status: str | None, form: str, when: str) -> int:
    """List GPU sizes (- means unknown).

    \b
    gitgpu sku list --model H100
    gitgpu sku list --status active -o json
    """
    known = _catalog()
    unknown = _unknown(known, model) if model is not None else None
    if unknown:
        return refuse_name(unknown, form)
    found = [
        sku
        for sku in known.skus
        if (model is None or (sku.gpu is not None and plain(sku.gpu.model) == plain(model)))
        and status in (None, sku.lifecycle.status)
    ]
    if known.files.faults:
        refuse_files(known.files.faults, form)
    if form == "text":
        style = options.style(when)
        say(listing(found, style), colour=style.colour)
    elif not known.files.faults:
        told = [size(sku, _driver(known, sku), windows_driver(known, sku)) for sku in found]
        send(envelope("SkuList", {"skus": told}))
    return int(bool(known.files.faults))


@COMMAND.command("show")
@click.argument("name")
@options.answer_format
def show(name: str, form: str) -> int:
    """Show everything known about the size NAME (case-insensitive), with sources.

    \b
    gitgpu sku show Standard_NC24ads_A100_v4
    """
    known = _catalog()
    sku = known.sku(name)
    if sku is None:
        wrong, remedy = known.unknown_size(name)
        return refuse_name(nameless("LNK007", f"'{name}' {wrong}", remedy), form)
    driver, windows = _driver(known, sku), windows_driver(known, sku)
    if known.files.faults:
        refuse_files(known.files.faults, form)
    if form == "text":
        _show(sku, driver, windows)
    elif not known.files.faults:
        send(envelope("Sku", {"sku": size(sku, driver, windows), "row": sku.row, "driver": driver}))
    return int(bool(known.files.faults))


def _show(sku: Sku, driver: Facts | None, windows: str | None) -> None:
    if sku.origin:
        line(f"from: {sku.origin}", err=False)
    say(page(sku.row))
    if driver:
        say("driver that AKS installs:\n" + page(driver, "  "))
    if windows:
        line(f"driver that AKS installs on Windows: {windows}", err=False)


def _unknown(catalog: Catalog, model: str) -> Diagnostic | None:
    """The fault of a GPU that no size has."""
    models = sorted({sku.gpu.model for sku in catalog.skus if sku.gpu})
    if plain(model) in map(plain, models):
        return None
    return nameless("CLI002", f"no size has the GPU '{model}'", f"known GPUs: {', '.join(models)}")


def _catalog() -> Catalog:
    """The catalog with the user's own rows. Raises UnreadableError for a configuration that names none."""
    config, faults = read_config(file=named_config())
    if faults:
        raise UnreadableError("the configuration cannot be read", faults)
    return catalog(config.catalog)


def _driver(catalog: Catalog, sku: Sku) -> Facts | None:
    return catalog.facts("drivers", sku.driver) if sku.driver else None
