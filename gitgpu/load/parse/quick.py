"""Texts to data, with places that are computed when one is needed: most manifests have no finding."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.load.parse.conflict import conflict
from gitgpu.load.parse.plain import Plain, plain_documents
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Mark, SourceMap, Span


class QuickParsed(NamedTuple):
    """One YAML document: plain data (None when empty), the places of its values, and where it begins, if known."""

    data: Any
    places: Places
    start: Mark | None


def parse_quickly(text: Text) -> tuple[list[QuickParsed], list[Diagnostic]]:
    """The same documents and faults as `parse` with `as_json` gives; of plain texts the places are computed later."""
    plain = plain_text(text)
    if plain is not None:
        return restored(text, plain), []
    documents, faults = parse(text, as_json=True)
    starts = (Mark(document.places.start.line, document.places.start.column) for document in documents)
    return [QuickParsed(*document, start) for document, start in zip(documents, starts, strict=True)], faults


def plain_text(text: Text) -> list[Plain] | None:
    """The data of all documents of a plain text and where each begins; None if PyYAML has to read it."""
    return None if conflict(text) else plain_documents(text.content)


def restored(text: Text, documents: Iterable[tuple[Any, Mark | None]]) -> list[QuickParsed]:
    """All documents of a text without faults, from the data of each and where it begins."""
    later = _Later(text)
    return [QuickParsed(data, _Places(later, at, start), start) for at, (data, start) in enumerate(documents)]


class _Later:
    """The places of all documents of a text, found by PyYAML when the first one is needed."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.maps: list[SourceMap] = []

    def map(self, at: int) -> SourceMap:
        """The map of one document, by its index."""
        if not self.maps:
            self.maps = [document.places for document in parse(self.text, as_json=True)[0]]
        return self.maps[at]


class _Places:
    """The places of one document."""

    def __init__(self, later: _Later, at: int, start: Mark | None) -> None:
        self.later, self.at, self.start = later, at, start

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value. That of the whole document is known already."""
        if not pointer and self.start:
            return Span(self.later.text.name, self.start.line + 1, self.start.column + 1)
        return self.later.map(self.at).span(pointer, key=key)
