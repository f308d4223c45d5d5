"""Show everything known about the size NAME (case-insensitive), with sources."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.output.refusal import refuse_name
from gitgpu.cli.output.streams import line, say
from gitgpu.cli.output.terminal import columns
from gitgpu.cli.parameters import as_value
from gitgpu.cli.sku.sizes import answer, content, driver, read_catalog, unknown_size
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.availability import Sold, sale_of
from gitgpu.model.sku import Sku
from gitgpu.report.envelope import envelope
from gitgpu.report.sizes import page, sale_lines


class Arguments(NamedTuple):
    """The argument and option of `gitgpu sku show`."""

    name: str
    output_format: str


@click.command("show", short_help=__doc__)
@click.argument("name")
@options.answer_format
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Show everything known about the size NAME (case-insensitive), with sources.

    \b
    gitgpu sku show Standard_NC24ads_A100_v4
    """
    facts = read_catalog()
    sku = facts.sku(arguments.name)
    if sku is None:
        return refuse_name(unknown_size(facts, arguments.name), arguments.output_format)
    sale = sale_of(facts, sku)
    return answer(
        facts,
        arguments.output_format,
        lambda: _show(facts, sku, sale),
        lambda: envelope("Sku", {"sku": content(facts, sku, sale), "row": sku.row, "driver": driver(facts, sku)}),
    )


def _show(facts: Catalog, sku: Sku, sale: Sold) -> None:
    installed, windows = driver(facts, sku), windows_driver(facts, sku)
    if sku.origin:
        line(f"from: {sku.origin}", err=False)
    say(page(sku.row) + sale_lines(sale), width=columns())
    if installed:
        say("driver that AKS installs:\n" + page(installed, "  "), width=columns())
    if windows:
        line(f"driver that AKS installs on Windows: {windows}", err=False)
