"""Places in a plain text, computed when they are needed: most documents have no finding.

The first few are found line by line. For the others, and for those inside brackets, PyYAML reads the first few
documents alone, and then the whole text once.
"""

from collections.abc import Sequence
from sys import modules
from typing import Any, NamedTuple

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Mark, Pointer, SourceMap, Span

_FEW, _EACH = 32, 2  # places of a text, or of each document in it, that are found without PyYAML
_ALONE = 4  # documents that PyYAML reads alone: for more, it is faster to read the whole text


class TextMaps:
    """The maps of all documents of a text without faults."""

    def __init__(self, text: Text, documents: int) -> None:
        self.text, self.documents = text, documents
        self.maps: list[SourceMap] = []
        self.alone: dict[int, SourceMap] = {}
        self.lines: list[str] | None = None
        self.left = max(_FEW, _EACH * documents)  # finding one takes longer, the longer its document is

    def place(self, start: Mark, pointer: Sequence[str | int]) -> tuple[Mark, Mark] | None:
        """The places of a key and its value in the document that begins at `start`; None if PyYAML has to find them."""
        self.left -= 1
        if self.maps or self.left < 0 or (self.documents == 1 and "yaml" in modules):  # then, PyYAML is as fast
            return None
        from gitgpu.load.parse.plain_places import place, plain_lines  # noqa: PLC0415  most runs need no place

        if self.lines is None:
            self.lines = plain_lines(self.text.content)
        return place(self.lines, start, pointer) if self.lines else None

    def map(self, at: int, start: Mark | None) -> SourceMap:
        """The map of the document with this index, which begins at `start`, if that is known."""
        is_new = at not in self.alone and not self.maps
        if start and is_new and len(self.alone) < min(_ALONE, self.documents - 1):
            parsed, faults = parse(self.text._replace(content=_only(self.text.content, start.line)), as_json=True)
            if len(parsed) == 1 and not faults:
                self.alone[at] = parsed[0].places
        if at in self.alone:
            return self.alone[at]
        if not self.maps:
            self.maps = [document.places for document in parse(self.text, as_json=True)[0]]
        return self.maps[at]


def _only(content: str, first: int) -> str:
    """The document that begins on a line, with as many empty lines before it as there are lines."""
    lines = content.split("\n")
    after = (index for index in range(first + 1, len(lines)) if lines[index].startswith("---"))
    return "\n" * first + "\n".join(lines[first : next(after, len(lines))])


class LazySourceMap:
    """The places of one document. It returns the same as the document's `SourceMap`."""

    def __init__(self, text_maps: TextMaps, at: int, start: Mark | None, data: Any) -> None:
        self.text_maps, self.at, self.start, self.data = text_maps, at, start, data
        self.file = text_maps.text.name

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value. The place of the whole document is already known."""
        if not pointer and self.start:
            return Span(self.file, self.start.line + 1, self.start.column + 1)
        found = self.text_maps.place(self.start, pointer) if self.start else None
        if found is None:
            return self.text_maps.map(self.at, self.start).span(pointer, key=key)
        key_mark, value_mark = found
        mark = key_mark if key else value_mark
        return Span(self.file, mark.line + 1, mark.column + 1)

    def has(self, pointer: Pointer) -> bool:
        """Whether the document contains the value. Without aliases, every value has its own place."""
        value = self.data
        for part in pointer:
            is_key = isinstance(value, dict) and part in value
            if not is_key and not (isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value)):
                return False
            value = value[part]
        return bool(pointer)

    def move(self, part: Pointer, to: Pointer) -> "MovedPlaces":
        """The places of a document that has at `to` what this one has at `part`."""
        return MovedPlaces(self, part, to)

    def patch(self, at: Pointer, by: Pointer, patch: Any) -> SourceMap:
        """The map of the document after a patch."""
        return self.text_maps.map(self.at, self.start).patch(at, by, patch)


class MovedPlaces(NamedTuple):
    """The places of a document that has at `to` what another one has at `part`.

    Everything else has the place where that other one begins.
    """

    places: LazySourceMap
    part: Pointer
    to: Pointer

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value."""
        below = tuple(pointer[len(self.to) :])
        is_moved = tuple(pointer[: len(self.to)]) == self.to
        return self.places.span((*self.part, *below), key=key) if is_moved else self.places.span()
