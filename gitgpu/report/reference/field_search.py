"""Fields of the fleet documents, found by the end of their path: `limits`, `disruption.budgets`."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.load.configuration.content import config_schema
from gitgpu.load.spec.shape import KINDS, fleet_schema
from gitgpu.report.reference.field import Schema, align, children, facts, first_sentence, inside


class Field(NamedTuple):
    """A field: its path from the kind, its schema, the root schema with the definitions, and whether it is required."""

    path: tuple[str, ...]
    part: Schema
    root: Schema
    required: bool = False

    @property
    def name(self) -> str:
        """The path in the form that `gitgpu explain` accepts."""
        return ".".join(self.path)

    def facts(self, *, recursive: bool = False) -> dict[str, Any]:
        """The facts about the field, for programs."""
        return facts(self.part, self.root, required=self.required, recursive=recursive)


def every_kind() -> list[Field]:
    """The kinds of the fleet documents, and Config for .gitgpu.yaml."""
    fleet, config = fleet_schema(), config_schema()
    kinds = [Field((kind,), fleet["definitions"][name], fleet) for kind, name in KINDS.items()]
    return [*kinds, Field(("Config",), config, config)]


def field_at(field: Field, words: Sequence[str]) -> tuple[Field, str | None]:
    """Follows the words from a field, ignoring case. Returns the field reached, and the first word that fits no key."""
    for word in words:
        below = {key.path[-1].lower(): key for key in fields_below(field)}
        if word.lower() not in below:
            return field, word
        field = below[word.lower()]
    return field, None


def fields_below(field: Field) -> list[Field]:
    """The keys of a field, or of its items if it is a list."""
    required = inside(field.part, field.root).get("required", ())
    return [
        Field((*field.path, key), part, field.root, key in required)
        for key, part in children(field.part, field.root).items()
    ]


def fields_named(field: Field, words: Sequence[str]) -> Iterator[Field]:
    """Every field below whose path ends in these words, ignoring case."""
    wanted = [word.lower() for word in words]
    for below in every_field(field):
        end = below.path[-len(wanted) :]
        if [key.lower() for key in end] == wanted:
            yield below


def every_field(field: Field) -> Iterator[Field]:
    """Every field below, in the order of the schema."""
    for below in fields_below(field):
        yield below
        yield from every_field(below)


def listing(fields: Sequence[Field], width: int = 0) -> str:
    """A line for each field: its path, its type and its first sentence, broken to the width."""
    rows = [(field.name, _kind(field), first_sentence(field.part.get("description", ""))) for field in fields]
    return "".join(f"{line}\n" for line in align(rows, width))


def _kind(field: Field) -> str:
    return str(field.facts()["type"])
