"""Places in a plain text. PyYAML computes them when the first one is needed: most documents have no finding."""

from collections.abc import Sequence
from typing import Any

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Mark, Pointer, SourceMap, Span


class TextMaps:
    """The maps of all documents of a text without faults."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.maps: list[SourceMap] = []

    def map(self, at: int) -> SourceMap:
        """The map of one document, by its index."""
        if not self.maps:
            self.maps = [document.places for document in parse(self.text, as_json=True)[0]]
        return self.maps[at]


class LazySourceMap:
    """The places of one document. It returns the same as the document's `SourceMap`."""

    def __init__(self, text_maps: TextMaps, at: int, start: Mark | None, data: Any) -> None:
        self.text_maps, self.at, self.start, self.data = text_maps, at, start, data
        self.file = text_maps.text.name

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value. The place of the whole document is already known."""
        if not pointer and self.start:
            return Span(self.file, self.start.line + 1, self.start.column + 1)
        return self.text_maps.map(self.at).span(pointer, key=key)

    def has(self, pointer: Pointer) -> bool:
        """Whether the document contains the value. Without aliases, every value has its own place."""
        value = self.data
        for part in pointer:
            is_key = isinstance(value, dict) and part in value
            if not is_key and not (isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value)):
                return False
            value = value[part]
        return bool(pointer)

    def moved(self, part: Pointer, to: Pointer) -> SourceMap:
        """The map of a document that has at `to` what this one has at `part`."""
        return self.text_maps.map(self.at).moved(part, to)

    def patched(self, at: Pointer, by: Pointer, patch: Any) -> SourceMap:
        """The map of the document after a patch."""
        return self.text_maps.map(self.at).patched(at, by, patch)
