"""Places in plain YAML, found line by line: importing PyYAML takes longer than finding a few places.

In a plain text, each key of a block mapping and each dash of a block list begins a line, or follows the dashes on it.
What is inside a value is indented more. So the lines that begin at the column of a collection are its entries.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitgpu.load.parse.plain import plain_documents
from gitgpu.load.parse.plain_lines import Kind, Line, line_of, value_column
from gitgpu.source import Mark


class _Place(NamedTuple):
    """The places of a key and its value (for an item of a list, they are the same), and what kind of value it is."""

    key: Mark
    value: Mark
    kind: Kind


def plain_lines(content: str) -> list[str]:
    """The lines of a plain text; [] if PyYAML has to read the text."""
    return [] if plain_documents(content) is None else content.split("\n")


def place(lines: Sequence[str], start: Mark, pointer: Sequence[str | int]) -> tuple[Mark, Mark] | None:
    """The places of a key and its value in the document that begins at `start`, or of its nearest written parent.

    None if PyYAML has to find them, such as inside brackets.
    """
    found = _Place(start, start, Kind.FLOW if lines[start.line][start.column] in "[{" else Kind.OPEN)
    for part in pointer:
        if found.kind is not Kind.OPEN:
            return found[:2] if found.kind in (Kind.SCALAR, Kind.BLOCK) else None
        is_list = lines[found.value.line][found.value.column] == "-"
        below = (_items if is_list else _entries)(lines, found.value)
        index = next((index for name, index in below if name == part), None)
        if index is None:
            return found[:2]
        inner = _place(lines, index, found.value.column)
        if inner is None:
            return None
        found = inner
    return found[:2]


def _entries(lines: Sequence[str], start: Mark) -> Iterator[tuple[str | None, int]]:
    """The keys of a mapping, each with the index of its line."""
    for index in _beginnings(lines, start):
        line = _line(lines, index, start.column)
        if line and not line.dashes:  # a list may have the same column: it belongs to the key before it
            yield line.key, index


def _items(lines: Sequence[str], start: Mark) -> Iterator[tuple[int, int]]:
    """The items of a list, each with the index of its line."""
    for number, index in enumerate(_beginnings(lines, start)):
        if lines[index][start.column] != "-":
            return
        yield number, index


def _beginnings(lines: Sequence[str], start: Mark) -> Iterator[int]:
    """The lines on which something begins at the column of a collection, up to its end."""
    yield start.line
    for index in range(start.line + 1, len(lines)):
        shown = lines[index].lstrip(" ")
        column = len(lines[index]) - len(shown)
        if not shown or shown[0] == "#" or column > start.column:
            continue
        if column < start.column or shown.rstrip(" ") == "---":
            return
        yield index


def _place(lines: Sequence[str], index: int, column: int) -> _Place | None:
    """The place of the entry that begins at a column."""
    line = _line(lines, index, column)
    if line is None:
        return None
    if len(line.dashes) > 1 or (line.dashes and line.key is not None):  # a list or a mapping in a list
        inner = Mark(index, (*line.dashes, line.column)[1])
        return _Place(inner, inner, Kind.OPEN)
    key = Mark(index, line.column)
    if line.kind is not Kind.OPEN:
        value = Mark(index, value_column(lines[index]))
        return _Place(value if line.dashes else key, value, line.kind)
    return None if line.dashes else _below(lines, key)


def _below(lines: Sequence[str], key: Mark) -> _Place | None:
    """The place of a list or mapping that begins below its key."""
    for index in range(key.line + 1, len(lines)):
        shown = lines[index].lstrip(" ")
        column = len(lines[index]) - len(shown)
        if not shown or shown[0] == "#":
            continue
        line = _line(lines, index, column)
        is_inside = column > key.column or (column == key.column and shown[0] == "-")
        begins = line and (line.dashes or line.key is not None)
        return _Place(key, Mark(index, column), Kind.OPEN) if begins and is_inside else None
    return None


def _line(lines: Sequence[str], index: int, column: int) -> Line | None:
    """A line from a column, as if nothing were before it."""
    return line_of(" " * column + lines[index][column:])
