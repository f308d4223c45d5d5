"""Print a JSON Schema: of the fleet documents, the configuration, or what `-o json` prints."""

from typing import NamedTuple

import click

from gitgpu.cli.output.streams import send
from gitgpu.cli.parameters import as_value
from gitgpu.load.read import data_text
from gitgpu.load.spec.shape import KINDS, kind_schema
from gitgpu.report.envelope import as_json
from gitgpu.report.reference.json_schemas import DOCUMENTS, document_schema

CONFIG = "Config"


class Arguments(NamedTuple):
    """The argument of `gitgpu schema`."""

    name: str | None


@click.command("schema", short_help=__doc__)
@click.argument(
    "name", required=False, metavar="[NAME]", type=click.Choice((*KINDS, CONFIG, *DOCUMENTS), case_sensitive=False)
)
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> None:
    """Print the JSON Schema (draft-07) of all fleet documents, or the one named NAME.

    NAME is a kind of document that you write (Fleet, Cluster, GpuPool, GpuWorkload, GpuTeam; Config is .gitgpu.yaml),
    or a document that -o json prints: findings, plan, change (of promote and upgrade), outdated, advisories, images,
    catalog (its diff and refresh), import, simulation, sku, rule, explain, version, or report for all of these.

    \b
    gitgpu schema > fleet.schema.json
    gitgpu schema GpuPool
    gitgpu schema plan > plan.schema.json
    """
    name = arguments.name
    if name is None:
        send(data_text("schemas/fleet.schema.json"))
    elif name == CONFIG:
        send(data_text("schemas/config.schema.json"))
    elif name in DOCUMENTS:
        send(as_json(document_schema(name)))
    else:
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": name}
        send(as_json({**head, **kind_schema(name)}))
