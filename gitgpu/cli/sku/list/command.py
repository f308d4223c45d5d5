"""List GPU sizes with their on-demand list prices in USD (- means unknown)."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.output.refusal import nameless, refuse_name
from gitgpu.cli.output.streams import say
from gitgpu.cli.parameters import as_value
from gitgpu.cli.sku.list.size_filter import SizeFilter, filters
from gitgpu.cli.sku.sizes import answer, content, read_catalog
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.size_selection import plain
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.sizes import listing
from gitgpu.spelling import nearest


class Arguments(NamedTuple):
    """The options of `gitgpu sku list`."""

    wanted: SizeFilter
    output_format: str
    style: Style


@click.command("list", short_help=__doc__)
@filters
@options.answer_format
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """List GPU sizes with their on-demand list prices in USD (- means unknown).

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
    return answer(
        facts,
        arguments.output_format,
        lambda: say(listing(offers, wanted.region, style), colour=style.colour),
        lambda: envelope("SkuList", {"skus": [content(facts, sku, sale) for sku, sale in offers]}),
    )


def _unknown(catalog: Catalog, model: str) -> Diagnostic | None:
    """The fault of a GPU model that no size has."""
    models = sorted({sku.gpu.model for sku in catalog.skus if sku.gpu})
    if plain(model) in map(plain, models):
        return None
    closest = nearest(model, models)
    hint = f"did you mean {closest}?" if closest else f"known GPUs: {', '.join(models)}"
    return nameless("CLI002", f"no size has the GPU '{model}'", hint)
