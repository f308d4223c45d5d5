"""Explain a field of the fleet documents, such as GpuPool.spec.limits."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click

from gitgpu.cli import options
from gitgpu.load.shape import KINDS, fleet_schema
from gitgpu.report.envelope import envelope
from gitgpu.report.field import Schema, children, explain, facts, follow


@click.command("explain", short_help=__doc__)
@click.argument("field", required=False)
@options.answer_format
def COMMAND(field: str | None, form: str) -> int:
    """Explain a FIELD of the fleet documents: KIND.KEY.KEY, in any casing. Without one, the kinds.

    \b
    gitgpu explain GpuPool.spec.disruption
    gitgpu explain cluster.spec.stack.metrics
    """
    root = fleet_schema()
    if field is None:
        return _kinds(root, form)
    path: list[str] = []
    part: Schema = {"properties": {kind: {"$ref": f"#/definitions/{name}"} for kind, name in KINDS.items()}}
    required = False
    for word in field.strip(".").split("."):
        below = children(part, root)
        found = _find(word, below)
        if found is None:
            near = get_close_matches(word, list(below), n=1)
            hint = f"did you mean {near[0]}?" if near else f"there is: {', '.join(below) or 'nothing'}"
            click.echo(f"gitgpu: {'.'.join(path) or 'a fleet'} has no '{word}'; {hint}", err=True)
            return 1
        required = found in follow(part, root).get("required", ())
        path.append(found)
        part = below[found]
    told, name = facts(part, root, required=required), ".".join(path)
    text = explain(name, told) if form == "text" else envelope("Explanation", {"field": name, **told})
    click.echo(text, nl=False)
    return 0


def _kinds(root: Schema, form: str) -> int:
    told = {kind: root["definitions"][name]["description"] for kind, name in KINDS.items()}
    if form == "json":
        kinds = [{"name": kind, "description": text} for kind, text in told.items()]
        click.echo(envelope("Explanation", {"field": "", "keys": kinds}), nl=False)
    else:
        click.echo("".join(f"{kind:14}{text}\n" for kind, text in told.items()), nl=False)
    return 0


def _find(word: str, below: Mapping[str, Any]) -> str | None:
    return next((key for key in below if key.lower() == word.lower()), None)
