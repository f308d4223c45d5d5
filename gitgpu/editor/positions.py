"""Places in a text as editors count them, as YAML parsers count them, and as indexes of its characters.

Editors end a line at CR, LF or CRLF only, and count the columns of a line in units of an encoding. YAML also ends a
line at U+0085, U+2028 and U+2029, and counts characters.
"""

import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from gitgpu.source import Span

_BREAK, _YAML_BREAK = re.compile(r"\r\n|\r|\n"), re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_BYTES = {PositionEncodingKind.Utf8: ("utf-8", 1), PositionEncodingKind.Utf16: ("utf-16-le", 2)}


class Positions:
    """The lines of a text. Places outside of it stand for its nearest place."""

    def __init__(self, content: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        self.content, self.encoding = content, encoding

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _BREAK.finditer(self.content))]

    @cached_property
    def _yaml_starts(self) -> list[int]:
        return [0, *(found.end() for found in _YAML_BREAK.finditer(self.content))]

    def line(self, number: int) -> str:
        """A line without its end, counted from 0."""
        start = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.content)
        return self.content[start:end].rstrip("\r\n")

    def index(self, position: Position) -> int:
        """The index of the character at a position."""
        if position.line >= len(self._starts):
            return len(self.content)
        line = self.line(position.line)
        return self._starts[position.line] + self._characters(line, position.character)

    def position(self, index: int) -> Position:
        """The position of the character with an index."""
        number = bisect_right(self._starts, min(index, len(self.content))) - 1
        before = self.content[self._starts[number] : index].rstrip("\r\n")
        return Position(number, self._units(before))

    def range(self, start: int, end: int) -> Range:
        """The range of the characters from `start` to `end`."""
        return Range(self.position(start), self.position(end))

    def place(self, span: Span) -> int:
        """The index of the character at a place of a parser; 0 for the whole file."""
        number = min(max(span.line, 1), len(self._yaml_starts)) - 1
        end = self._yaml_starts[number + 1] if number + 1 < len(self._yaml_starts) else len(self.content)
        return min(self._yaml_starts[number] + max(span.column - 1, 0), end)

    def _units(self, text: str) -> int:
        """How long a text is in the units of the editor."""
        if text.isascii() or self.encoding not in _BYTES:
            return len(text)
        codec, size = _BYTES[PositionEncodingKind(self.encoding)]
        return len(text.encode(codec, "surrogatepass")) // size

    def _characters(self, line: str, units: int) -> int:
        """How many characters of a line are before a column."""
        if line.isascii() or self.encoding not in _BYTES:
            return min(units, len(line))
        codec, size = _BYTES[PositionEncodingKind(self.encoding)]
        before = line.encode(codec, "surrogatepass")[: units * size]
        return len(before.decode(codec, "ignore"))
