"""A row of the catalog, and the documents in its text."""

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.parse.quick import QuickParsed, parse_quickly
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text

RowDocument: TypeAlias = Parsed | QuickParsed


class Row(NamedTuple):
    """One row: its data, its places, and the label of the directory it came from ("" for gitgpu's own catalog)."""

    kind: str
    name: str
    data: dict[str, Any]
    places: Places
    origin: str


# A process that reads several catalogs, as tests do, parses equal rows once. Places of values take much memory.
@lru_cache(1 << 6)
def parse_row(text: Text) -> tuple[tuple[Parsed, ...], tuple[Diagnostic, ...]]:
    """The documents in the text of a row, and its faults."""
    documents, faults = parse(text)
    return tuple(documents), tuple(faults)


@lru_cache(1 << 10)
def quickly_parsed_row(text: Text) -> tuple[tuple[QuickParsed, ...], tuple[Diagnostic, ...]]:
    """Like `parse_row`, for rows of gitgpu. It takes half of the time, because their places are never needed."""
    documents, faults = parse_quickly(text)
    return tuple(documents), tuple(faults)
