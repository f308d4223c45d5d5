"""Plain YAML to data, line by line: several times as fast as PyYAML's events, with exactly the same result.

Most manifests are plain: block mappings and lists, with each key and each scalar on one line; or they are JSON. For a
text with anything else, or with a fault, the result is None, and PyYAML reads it. So faults are PyYAML's.
"""

import re
from typing import Any, NamedTuple

from gitgpu.load.parse.flow_values import read_flow
from gitgpu.load.parse.plain_json import json_value
from gitgpu.load.parse.plain_lines import Kind, Line, line_of, unfinished_scalar
from gitgpu.load.parse.plain_texts import NotPlainError, block_text, read_continued, read_quoted
from gitgpu.load.parse.scalars import resolve
from gitgpu.source import Mark

_BELOW = {
    "|": block_text,
    ">": block_text,
    '"': read_quoted,
    "'": read_quoted,
    "[": read_flow,
    "{": read_flow,
}  # by the first sign
_MAX_DEPTH = 50  # levels: PyYAML reads deeper texts; `events` rejects more than 100
# Python finds a name of the module faster than a member of an enumeration.
_SCALAR, _OPEN, _FLOW, _BLANK = Kind.SCALAR, Kind.OPEN, Kind.FLOW, Kind.BLANK
_BLOCK, _BEGUN, _SEPARATOR = Kind.BLOCK, Kind.BEGUN, Kind.SEPARATOR
# Tabs, carriage returns, control characters, and what Unicode or YAML treat as a line break or byte order mark.
# Ranges end at U+FFFF, because `re` needs 6 ms to compile a set with characters above it, and only if there is a text
# that is not ASCII.
_SPECIAL_CHARACTERS = "[\0-\t\x0b-\x1f\x7f-\xa0\u2000-\u200f\u2028-\u202f\ud800-\uffff]"


class Plain(NamedTuple):
    """The data of a document (None if it is empty), and where it begins."""

    data: Any
    start: Mark | None


def plain_documents(content: str) -> list[Plain] | None:
    """All documents of a text, or None if the text is not plain."""
    # The first test is enough for most texts, and takes a fifth of the time.
    if not (content.isascii() and content.replace("\n", "").isprintable()) and re.search(_SPECIAL_CHARACTERS, content):
        return None
    body = content.lstrip(" \n")
    if body[:1] in ("{", "["):
        value, line = json_value(content), content.count("\n", 0, len(content) - len(body))
        column = len(content) - len(body) - (content.rfind("\n", 0, len(content) - len(body)) + 1)
        return None if value is None else [Plain(value, Mark(line, column))]
    try:
        return _Blocks(content.split("\n")).documents()
    except NotPlainError:
        return None


class _Blocks:
    """Builds documents from lines.

    `columns` and `values` are the collections that contain the current line, the outermost first. `waiting` means that
    the last entry of the innermost one (at `key`) has no value yet; it may follow in the next lines. `resume` is the
    index of the line after the last scalar of several lines.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.finished: list[Plain] = []
        self.explicit, self.resume = False, 0
        self.begin()

    def begin(self) -> None:
        """Prepares for a document."""
        self.root: list[Any] = [None]
        self.columns: list[int] = [-1]
        self.values: list[Any] = [self.root]
        self.key, self.waiting = "", True
        self.start: Mark | None = None

    def end(self) -> None:
        """Finishes a document, if there is one."""
        if self.explicit or self.start:
            self.finished.append(Plain(self.root[0], self.start))

    def documents(self) -> list[Plain]:
        """Every document. Raises NotPlainError."""
        for index, text in enumerate(self.lines):
            if index < self.resume:
                continue  # a line of a scalar
            line = line_of(text)
            if line is None:
                self.go_on(index)
                continue
            dashes, column, key, value, kind = line
            if key is not None and not dashes and self.start and (kind is _SCALAR or kind is _OPEN):
                self.entry(column, key, value)  # most lines: no other call is needed
                self.waiting = kind is _OPEN
            elif kind is not _BLANK:
                self.add(line, index)
        self.end()
        return self.finished

    def add(self, line: Line, at: int) -> None:
        """Adds a line that is not blank. Raises NotPlainError."""
        dashes, column, key, value, kind = line
        if kind is _SEPARATOR:
            self.end()
            self.begin()
            self.explicit = True
            return
        if not self.start:
            self.start = Mark(at, dashes[0] if dashes else column)
        for dash in dashes:
            self.item(dash)
        value = _copied(value) if kind is _FLOW else value
        if key is not None:
            self.entry(column, key, value)
        elif kind is not _OPEN:
            self.values[-1][-1] = value
        self.waiting = kind is _OPEN
        if kind is _BLOCK or kind is _BEGUN:
            block, self.resume = _BELOW[value[0]](self.lines, at + 1, self.columns[-1], value)
            self.put(block)

    def go_on(self, at: int) -> None:
        """Adds a line that has to continue a plain scalar. Raises NotPlainError."""
        before = at - 1
        while before >= self.resume and not self.lines[before].strip(" "):
            before -= 1
        if before < self.resume:
            raise NotPlainError
        begun = unfinished_scalar(self.lines[before])
        text, self.resume = read_continued(self.lines, before + 1, self.columns[-1], begun)
        if self.resume <= at:
            raise NotPlainError
        self.put(resolve(text))

    def item(self, column: int) -> None:
        """Adds an item to the list in a column. The list may begin here, even in the column of its key.

        Raises NotPlainError.
        """
        columns, values = self.columns, self.values
        parent = columns[-1]
        if self.waiting and (column > parent or (column == parent and type(values[-1]) is dict)):
            self.open(column, [None])
            return
        while columns[-1] > column:
            columns.pop()
            values.pop()
        if columns[-1] != column or type(values[-1]) is not list:
            raise NotPlainError
        values[-1].append(None)
        self.waiting = True

    def entry(self, column: int, key: str, value: Any) -> None:
        """Adds a key and its value to the mapping in a column, which may begin here. Raises NotPlainError."""
        columns, values = self.columns, self.values
        if self.waiting and column > columns[-1]:
            self.open(column, {key: value})
            self.key = key
            return
        while columns[-1] > column or (columns[-1] == column and type(values[-1]) is list):
            columns.pop()
            values.pop()
        inner = values[-1]
        if columns[-1] != column or key in inner:
            raise NotPlainError  # PyYAML reports a duplicate with its place
        inner[key] = value
        self.key = key

    def open(self, column: int, value: Any) -> None:
        """Starts a list or a mapping as the value of the last entry. Raises NotPlainError if it is too deep."""
        columns, values = self.columns, self.values
        inner = values[-1]
        inner[self.key if type(inner) is dict else -1] = value
        columns.append(column)
        values.append(value)
        if len(columns) > _MAX_DEPTH:
            raise NotPlainError

    def put(self, value: Any) -> None:
        """Sets the value of the last entry."""
        inner = self.values[-1]
        inner[self.key if type(inner) is dict else -1] = value


def _copied(value: Any) -> Any:
    """A copy of the value of a cached line, for one document."""
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_copied(inner) for inner in value]
    return value
