"""Print the JSON Schema of the fleet documents, for editors and other tools."""

import json

import click

from gitgpu.load.read import data_text
from gitgpu.load.shape import KINDS, kind_schema


@click.command("schema", short_help=__doc__)
@click.argument("kind", required=False, type=click.Choice((*KINDS, "Config"), case_sensitive=False))
def COMMAND(kind: str | None) -> None:
    """Print the JSON Schema (draft-07) of all fleet documents, or of one KIND.

    \b
    gitgpu schema > fleet.schema.json
    gitgpu schema GpuPool
    """
    if kind is None:
        click.echo(data_text("schemas/fleet.schema.json"), nl=False)
    elif kind == "Config":
        click.echo(data_text("schemas/config.schema.json"), nl=False)
    else:
        head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": kind}
        click.echo(json.dumps({**head, **kind_schema(kind)}, indent=2, ensure_ascii=False))
