"""A list as aligned columns."""

import re
from collections.abc import Sequence
from typing import TypeAlias

from gitgpu.report.findings import Style
from gitgpu.report.terminal import paint, printable, width

Cell: TypeAlias = str | int | float | None

_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*")
_UNKNOWN = "-"
_GAP = "  "


def table(headers: Sequence[str], rows: Sequence[Sequence[Cell]], style: Style) -> str:
    """The rows below their headers, separated by two spaces. Columns of numbers are aligned to the right."""
    texts = [map(_text, row) for row in rows]
    columns = list(zip(headers, *texts, strict=True))
    aligned = [_aligned(column) for column in columns]
    head, *body = [_GAP.join(line).rstrip() for line in zip(*aligned, strict=True)]
    return "".join(f"{line}\n" for line in (paint(head, "1", colour=style.colour), *body))


def _text(cell: Cell) -> str:
    if cell is None:
        return _UNKNOWN
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return printable(str(cell).replace("\n", " "))


def _aligned(column: Sequence[str]) -> list[str]:
    room = max(map(width, column))
    # A column of numbers may have unknown values.
    filled = [text for text in column[1:] if text != _UNKNOWN]
    numeric = bool(filled) and all(_NUMBER.fullmatch(text) for text in filled)
    aligned: list[str] = []
    for text in column:
        blanks = " " * (room - width(text))
        aligned.append(blanks + text if numeric else text + blanks)
    return aligned
