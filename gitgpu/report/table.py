"""A list as aligned columns that fit the terminal."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from gitgpu.report.findings import Style
from gitgpu.report.terminal import fit_lines, paint, printable, width

Cell: TypeAlias = str | int | float | None

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*")
_UNKNOWN = "-"
_GAP = "  "
_NARROWEST = 80  # below this, columns that do not fit are not made narrower
# A cell can break after a space, after the slash of a path, and between the numbers of a range.
_BREAK = re.compile(r"(?<= )|(?<=\w/)|(?<=[0-9]\.\.)")


class Table(NamedTuple):
    """The texts of a table: of its head, which is "" if each row names its own cells, and of each row."""

    head: str
    rows: list[str]


def table(headers: Sequence[str], rows: Iterable[Sequence[Cell]], style: Style) -> str:
    """The rows below their headers, separated by two spaces. Columns of numbers are aligned to the right.

    If they do not fit the width of the style, columns become narrower, and cells have several lines. If that is not
    enough, or on a terminal with fewer than 80 columns, each row is a block.
    """
    head, texts = layout(headers, rows, style)
    return head + "".join(texts)


def layout(headers: Sequence[str], rows: Iterable[Sequence[Cell]], style: Style) -> Table:
    """The same in parts, for lists with other text between their rows."""
    texts = [[_text(cell) for cell in row] for row in rows]
    columns = list(zip(headers, *texts, strict=True))
    widths = [max(map(width, column)) for column in columns]
    if style.width and _total(widths) > style.width:
        least = [max(map(_least, column)) for column in columns]
        if style.width < _NARROWEST or _total(least) > style.width:
            return Table("", [_block(headers, row, style) for row in texts])
        filled = [max(map(width, column[1:]), default=0) for column in columns]
        widths = _narrowed(widths, least, filled, style.width)
    numeric = list(map(_is_numeric, columns))
    head, *body = [_row(row, widths, numeric) for row in (headers, *texts)]
    return Table(_painted(head, style), body)


def _text(cell: Cell) -> str:
    if cell is None:
        return _UNKNOWN
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return printable(str(cell).replace("\n", " "))


def _is_numeric(column: Sequence[str]) -> bool:
    """Whether the cells below the header are numbers. Some of them may be unknown."""
    filled_texts = [text for text in column[1:] if text != _UNKNOWN]
    return bool(filled_texts) and all(_NUMBER.fullmatch(text) for text in filled_texts)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _least(text: str) -> int:
    """The width of the longest part of a cell that does not break."""
    return max(width(piece.rstrip()) for piece in _BREAK.split(text))


def _narrowed(widths: list[int], least: Sequence[int], filled: Sequence[int], room: int) -> list[int]:
    """Widths that fit: the widest column that can be narrower becomes narrower, again and again.

    First those where only the header breaks, once, and not the cells below it, in every row.
    """
    narrowed = list(widths)
    for _ in range(_total(widths) - room):
        candidates = [index for index, limit in enumerate(least) if narrowed[index] > limit]
        headers = [index for index in candidates if narrowed[index] > filled[index]]
        narrowed[max(headers or candidates, key=narrowed.__getitem__)] -= 1
    return narrowed


def _row(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    """A row, which has as many lines as the cell with the most."""
    columns = [list(_filled(_BREAK.split(text), room)) for text, room in zip(cells, widths, strict=True)]
    text = ""
    for index in range(max(map(len, columns))):
        line = []
        for column, room, is_number in zip(columns, widths, numeric, strict=True):
            part = column[index] if index < len(column) else ""
            blanks = " " * (room - width(part))
            line.append(blanks + part if is_number else part + blanks)
        text += f"{_GAP.join(line).rstrip()}\n"
    return text


def _filled(pieces: Iterable[str], room: int) -> Iterator[str]:
    """The pieces in lines with at most `room` columns, unless a piece is longer."""
    line = ""
    for piece in pieces:
        if line and width((line + piece).rstrip()) > room:
            yield line.rstrip()
            line = ""
        line += piece
    yield line.rstrip()


def _block(headers: Sequence[str], cells: Sequence[str], style: Style) -> str:
    """A row as its first cell, and below it the others with their headers."""
    pairs = [f"{header}: {text}{_GAP}" for header, text in zip(headers[1:], cells[1:], strict=True)]
    lines = "".join(f"{_GAP}{line}\n" for line in _filled(pairs, style.width - len(_GAP)))
    return _painted(f"{cells[0].lstrip()}\n", style) + fit_lines(lines, style.width)


def _painted(lines: str, style: Style) -> str:
    return "".join(f"{paint(line, '1', colour=style.colour)}\n" for line in lines.splitlines())
