"""Print the JSON Schema of the fleet documents, for editors and other tools."""

import click

from gitgpu.cli.out import send
from gitgpu.load.read import data_text
from gitgpu.load.shape import KINDS, kind_schema
from gitgpu.report.envelope import as_json


@click.command("schema", short_help=__doc__)
@click.argument("kind", required=False, type=click.Choice((*KINDS, "Config"), case_sensitive=False))
def COMMAND(kind: str | None) -> None:
    """Print the JSON Schema (draft-07) of all fleet documents, or of one KIND.

    \b
    gitgpu schema > fleet.schema.json
    gitgpu schema GpuPool
    """
    if kind is None:
        send(data_text("schemas/fleet.schema.json"))
    elif kind == "Config":
        send(data_text("schemas/config.schema.json"))
    else:
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": kind}
        send(as_json({**head, **kind_schema(kind)}))
