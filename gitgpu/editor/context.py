"""What answers about a place in a file need, and texts in Markdown."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from lsprotocol.types import MarkupContent, MarkupKind

from gitgpu.editor.files import Files
from gitgpu.editor.names import Name, names
from gitgpu.load.read import data_text
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.report.reference.field_search import Field, every_kind, field_at
from gitgpu.report.terminal import printable
from gitgpu.source import Pointer


class Context(NamedTuple):
    """The files, the one that is asked about, the catalog, and the last fleet that could be linked.

    `whole` is the schema of a file that is one document of a known kind: the configuration, or a row of a catalog.
    """

    files: Files
    file: str
    catalog: Catalog
    inputs: Inputs | None = None
    whole: Field | None = None

    @property
    def kind(self) -> str:
        """Config, or the kind of rows; "" for files whose documents say their kind."""
        return self.whole.name if self.whole else ""

    @property
    def content(self) -> str:
        """The text of the file."""
        return self.files.texts[self.file]

    def names(self) -> list[Name]:
        """Every name in the fleet."""
        return list(names(self.files.texts))

    def clusters(self) -> Iterable[Cluster]:
        """The clusters of the fleet."""
        return self.inputs.clusters if self.inputs else ()


CONFIG = "Config"


def row_field(kind: str) -> Field | None:
    """The schema of the rows of a kind; None if the catalog has no such kind."""
    try:
        schema = json.loads(data_text(f"schemas/catalog/{kind}.schema.json"))
    except FileNotFoundError:
        return None
    return Field((kind,), schema, schema)


def kind_field(kind: str) -> Field | None:
    """The schema of a kind of the fleet, or of Config; None for any other kind."""
    return next((each for each in every_kind() if each.name == kind), None)


def field(start: Field | None, path: Pointer) -> Field | None:
    """The field below `start` at a path; in what an override sets, that of the document. None if there is none."""
    words = [step for step in path if isinstance(step, str)]
    if words[:3] == ["spec", "overrides", "set"]:
        words = ["spec", *words[3:]]
    if start is None:
        return None
    reached, unknown = field_at(start, words)
    return reached if unknown is None else None


def markdown(text: str) -> MarkupContent:
    """A text in Markdown. What it quotes has to be escaped before."""
    return MarkupContent(MarkupKind.Markdown, text)


def code_block(text: str) -> str:
    """Lines of plain text as a block of Markdown, whatever they contain."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = "\n".join(map(printable, text.rstrip("\n").splitlines()))
    return f"{fence}text\n{lines}\n{fence}"
