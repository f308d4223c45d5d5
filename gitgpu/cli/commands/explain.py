"""Explain a field of the fleet documents or of .gitgpu.yaml, such as GpuPool.spec.limits."""

from collections.abc import Mapping
from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.out import line, say, send
from gitgpu.load.config import config_schema
from gitgpu.load.shape import KINDS, fleet_schema
from gitgpu.report.envelope import envelope
from gitgpu.report.field import Schema, children, explain, facts, follow
from gitgpu.spelling import nearest


@click.command("explain", short_help=__doc__)
@click.argument("field", required=False)
@options.answer_format
def COMMAND(field: str | None, form: str) -> int:
    """Explain a FIELD of the fleet documents, or of .gitgpu.yaml as Config: KIND.KEY.KEY, case-insensitive.

    Without FIELD, list the kinds.

    \b
    gitgpu explain GpuPool.spec.disruption
    gitgpu explain cluster.spec.stack.metrics
    gitgpu explain config.allow
    """
    kinds = _kinds()
    if field is None:
        return _all(kinds, form)
    path: list[str] = []
    part: Schema = {}
    root: Schema = {}
    required = False
    for word in field.strip(".").split("."):
        below = children(part, root) if path else {kind: whole for kind, (whole, _) in kinds.items()}
        found = _find(word, below)
        if found is None:
            near = nearest(word, below)
            hint = f"did you mean {near}?" if near else f"there is: {', '.join(below) or 'nothing'}"
            line(f"gitgpu: {'.'.join(path) or 'a fleet'} has no '{word}'; {hint}")
            return 1
        root = root if path else kinds[found][1]
        required = bool(path) and found in follow(part, root).get("required", ())
        path.append(found)
        part = below[found]
    return _one(".".join(path), facts(part, root, required=required), form)


def _one(name: str, told: Mapping[str, Any], form: str) -> int:
    say(explain(name, told)) if form == "text" else send(envelope("Explanation", {"field": name, **told}))
    return 0


def _kinds() -> dict[str, tuple[Schema, Schema]]:
    """The schema of each kind, and the one that holds its definitions."""
    fleet, config = fleet_schema(), config_schema()
    return {kind: (fleet["definitions"][name], fleet) for kind, name in KINDS.items()} | {"Config": (config, config)}


def _all(kinds: Mapping[str, tuple[Schema, Schema]], form: str) -> int:
    told = {kind: part["description"] for kind, (part, _) in kinds.items()}
    if form == "json":
        keys = [{"name": kind, "description": text} for kind, text in told.items()]
        send(envelope("Explanation", {"field": "", "keys": keys}))
    else:
        say("".join(f"{kind:14}{text}\n" for kind, text in told.items()))
    return 0


def _find(word: str, below: Mapping[str, Any]) -> str | None:
    return next((key for key in below if key.lower() == word.lower()), None)
