"""Compare sizes side by side and mark the differences."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.output.refusal import refuse_name
from gitgpu.cli.output.streams import say
from gitgpu.cli.parameters import as_value
from gitgpu.cli.sku.sizes import answer, content, read_catalog, unknown_size
from gitgpu.model.size.availability import sale_of
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.size_comparison import comparable, comparison, differences

MIN_COMPARED = 2


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu sku compare`."""

    sizes: tuple[str, ...]
    region: str
    output_format: str
    style: Style


@click.command("compare", short_help=__doc__)
@click.argument("sizes", nargs=-1, required=True, metavar="NAME NAME...")
@click.option(
    "--region",
    default="",
    metavar="REGION",
    help="Price in this region, e.g. eastus.  [default: lowest of all regions]",
)
@options.table_format
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Compare sizes side by side and mark the differences.

    \b
    gitgpu sku compare Standard_NC24ads_A100_v4 Standard_NC40ads_H100_v5
    gitgpu sku compare NC16as_T4_v3 NC8as_T4_v3 --region eastus -o json
    """
    sizes, style = arguments.sizes, arguments.style
    if len(sizes) < MIN_COMPARED:
        raise click.UsageError("pass the names of at least two sizes")
    facts = read_catalog()
    region = known_region(arguments.region, facts)
    unknown = next((name for name in sizes if facts.sku(name) is None), None)
    if unknown is not None:
        return refuse_name(unknown_size(facts, unknown), arguments.output_format)
    skus = filter(None, map(facts.sku, sizes))
    compared = [comparable(content(facts, sku, sale_of(facts, sku, region)), sku) for sku in skus]
    return answer(
        facts,
        arguments.output_format,
        lambda: say(comparison(compared, style), colour=style.colour),
        lambda: envelope("SkuComparison", {"skus": compared, "differences": differences(compared)}),
    )
