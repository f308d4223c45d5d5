"""Scalars of several lines in plain YAML: block scalars (`|` and `>`), and scalars that continue in the next lines.

Each function takes the lines of a file, the index of the first line to read, and the column of the collection that
contains the scalar. Each returns the text and the index of the line after it, or raises NotPlainError.
"""

import re
from collections.abc import Sequence

_MORE = re.compile(r"[^:#]*(?:(?::(?=[^ ])|(?<=[^ ])#)[^:#]*)*")  # of a plain scalar: without a key or a comment
_END = {'"': re.compile(r'([^"\\]*)" *(?: #.*)?'), "'": re.compile(r"((?:[^']|'')*)' *(?: #.*)?")}


class NotPlainError(Exception):
    """PyYAML has to read the text."""


def block_text(lines: Sequence[str], first: int, column: int, sign: str) -> tuple[str, int]:
    """The text of a block scalar with `|`, `|-`, `>` or `>-`."""
    kept: list[str] = []
    indent = 0
    for index in range(first, len(lines)):  # a slice would copy the rest of the file
        below = lines[index]
        shown = below.lstrip(" ")
        width = len(below) - len(shown)
        if shown and not indent:
            if width <= column or any(len(blank) > width for blank in kept):
                break
            indent = width
        if shown and width < indent:
            break
        kept.append(below)
    end = first + len(kept)
    if not indent or (end == len(lines) and lines[-1]):
        raise NotPlainError  # no text, or no line break at its end
    body = "\n".join(line[indent:] for line in kept).rstrip("\n")
    if sign[0] == ">":
        body = _folded(body)
    return (body if sign[1:] else f"{body}\n"), end


def _folded(body: str) -> str:
    """The folded text of a `>`. Raises NotPlainError if a line is indented more, because YAML keeps its line breaks."""
    rows = body.split("\n")
    if not rows[0] or any(row[:1] == " " for row in rows):
        raise NotPlainError
    folded, blank = rows[0], 0
    for row in rows[1:]:
        if row:
            folded += _fold(blank) + row
        blank = 0 if row else blank + 1
    return folded


def read_continued(lines: Sequence[str], first: int, column: int, begun: str) -> tuple[str, int]:
    """A plain scalar that starts with `begun` before the line `first`, which may be blank."""
    body, end, blank = begun, first, 0
    for index in range(first, len(lines)):
        shown = lines[index].strip(" ")
        if not shown:
            blank += 1
            continue
        if len(lines[index]) - len(lines[index].lstrip(" ")) <= column:
            break
        if not _MORE.fullmatch(shown):
            raise NotPlainError
        body, end, blank = f"{body}{_fold(blank)}{shown}", index + 1, 0
    return body, end


def read_quoted(lines: Sequence[str], first: int, column: int, begun: str) -> tuple[str, int]:
    """A quoted scalar that starts with `begun`, including its quote, in the line before."""
    sign, body, blank = begun[0], begun[1:].rstrip(" "), 0
    for index in range(first, len(lines)):
        shown = lines[index].lstrip(" ")
        if not shown:
            blank += 1
            continue
        last = _END[sign].fullmatch(shown)
        if len(lines[index]) - len(shown) <= column or (
            not last and (sign in shown.replace("''", "") or "\\" in shown)
        ):
            raise NotPlainError
        body += _fold(blank) + (last[1] if last else shown.rstrip(" "))
        blank = 0
        if last:
            return (body.replace("''", "'") if sign == "'" else body), index + 1
    raise NotPlainError


def _fold(blank: int) -> str:
    """The text for a line break and the blank lines after it."""
    return "\n" * blank or " "
