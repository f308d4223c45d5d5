"""Explains a field of the schemas, or lists the kinds and the fields that match."""

from collections.abc import Iterator, Sequence

from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.output.terminal import columns
from gitgpu.report.envelope import envelope
from gitgpu.report.reference.field import explain
from gitgpu.report.reference.field_search import (
    Field,
    every_field,
    every_kind,
    field_at,
    fields_below,
    fields_named,
    listing,
)
from gitgpu.spelling import nearest


def explain_field(field: str | None, output_format: str, *, recursive: bool) -> int:
    """Explains a field of the schemas, or lists the kinds. Returns the exit status."""
    kinds = every_kind()
    if field is None:
        return _list_kinds(kinds, output_format)
    words = field.strip(".").split(".")
    start = next((kind for kind in kinds if kind.name.lower() == words[0].lower()), None)
    reached, unknown = field_at(start, words[1:]) if start else (None, words[0])
    if reached and unknown is None:
        return _show(reached, output_format, recursive=recursive)
    named = list(_fields_named(kinds, start, words))
    if not named:
        return _refuse(reached, kinds, unknown or "", output_format)
    return _list(named, output_format) if len(named) > 1 else _show(named[0], output_format, recursive=recursive)


def _fields_named(kinds: Sequence[Field], start: Field | None, words: Sequence[str]) -> Iterator[Field]:
    """The fields at any depth whose paths end with the words, below a kind or below all of them."""
    if "" in words:
        return
    if start:
        yield from fields_named(start, words[1:])
        return
    for kind in kinds:
        yield from fields_named(kind, words)


def _refuse(reached: Field | None, kinds: Sequence[Field], unknown: str, output_format: str) -> int:
    """Reports the word that is not a field, with the closest known word."""
    fields = fields_below(reached) if reached else kinds
    below = [field.path[-1] for field in fields]
    closest = nearest(unknown, below) or _anywhere(reached, kinds, unknown)
    known = f"known names: {', '.join(below)}" if below else "it has no fields"
    hint = f"did you mean {closest}?" if closest else known
    owner = reached.name if reached else "a fleet"
    return refuse_name(nameless("CLI002", f"{owner} has no '{unknown}'", hint), output_format)


def _anywhere(reached: Field | None, kinds: Sequence[Field], unknown: str) -> str:
    """The path of the key with the closest spelling, below a field or anywhere; "" if there is none."""
    paths: dict[str, str] = {}
    for kind in [reached] if reached else kinds:
        paths.update((below.path[-1], below.name) for below in every_field(kind))
    closest = nearest(unknown, paths, 0.8)
    return paths[closest] if closest else ""


def _show(field: Field, output_format: str, *, recursive: bool) -> int:
    facts = field.facts(recursive=recursive)
    if output_format == JSON:
        send(envelope("Explanation", {"field": field.name, **facts}))
    else:
        say(explain(field.name, facts, columns()), width=columns())
    return 0


def _list(matches: Sequence[Field], output_format: str) -> int:
    if output_format == JSON:
        fields = []
        for field in matches:
            facts = field.facts()
            del facts["keys"]
            fields.append({"field": field.name, **facts})
        send(envelope("FieldList", {"fields": fields}))
    else:
        say(listing(matches, columns()), width=columns())
    return 0


def _list_kinds(kinds: Sequence[Field], output_format: str) -> int:
    descriptions = {kind.name: kind.part["description"] for kind in kinds}
    if output_format == JSON:
        keys = [{"name": kind, "description": text} for kind, text in descriptions.items()]
        send(envelope("Explanation", {"field": "", "keys": keys}))
    else:
        say("".join(f"{kind:14}{text}\n" for kind, text in descriptions.items()), width=columns())
    return 0
