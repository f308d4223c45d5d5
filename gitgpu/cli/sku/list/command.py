"""List GPU sizes with their on-demand list prices in USD (- means unknown)."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.output.refusal import nameless, refuse_name
from gitgpu.cli.output.streams import note, say
from gitgpu.cli.parameters import as_value
from gitgpu.cli.sku.list.size_filter import Offer, SizeFilter, filters
from gitgpu.cli.sku.sizes import answer, content, read_catalog
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.size_selection import plain
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.sizes import listing
from gitgpu.spelling import count_text, nearest

_SOLD = ("active", "announced", "unknown")  # lifecycle statuses of sizes that a pool may use


class Arguments(NamedTuple):
    """The options of `gitgpu sku list`."""

    wanted: SizeFilter
    every: bool
    output_format: str
    style: Style


@click.command("list", short_help=__doc__)
@filters
@click.option("--all", "every", is_flag=True, help="Also list sizes that are retired or were never offered.")
@options.table_format
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """List GPU sizes with their on-demand list prices in USD (- means unknown).

    Without --all, a table has no sizes that are retired or were never offered; -o json has all of them.

    \b
    gitgpu sku list --model H100
    gitgpu sku list --region westeurope --gpu-memory 40 --sort price
    gitgpu sku list --status active -o json
    """
    facts = read_catalog()
    wanted, style = arguments.wanted, arguments.style
    unknown = _unknown(facts, wanted.model) if wanted.model is not None else None
    if unknown:
        return refuse_name(unknown, arguments.output_format)
    offers = wanted.offers(facts)
    shown = (
        offers
        if arguments.every or wanted.status
        else [offer for offer in offers if offer.sku.lifecycle.status in _SOLD]
    )
    return answer(
        facts,
        arguments.output_format,
        lambda: _list(shown, len(offers) - len(shown), wanted.region, style),
        lambda: envelope("SkuList", {"skus": [content(facts, sku, sale) for sku, sale in offers]}),
    )


def _list(shown: Sequence[Offer], hidden: int, region: str, style: Style) -> None:
    say(listing(shown, region, style), colour=style.colour)
    if hidden:
        note(f"{count_text(hidden, 'size')} that Azure retired or never offered: --all lists them too")


def _unknown(catalog: Catalog, model: str) -> Diagnostic | None:
    """The fault of a GPU model that no size has."""
    models = sorted({sku.gpu.model for sku in catalog.skus if sku.gpu})
    if plain(model) in map(plain, models):
        return None
    closest = nearest(model, models)
    hint = f"did you mean {closest}?" if closest else f"known GPUs: {', '.join(models)}"
    return nameless("CLI002", f"no size has the GPU '{model}'", hint)
