"""Texts to data. Places are computed when one is needed, because most manifests have no finding."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.parse.conflict import conflict
from gitgpu.load.parse.lazy_source_map import LazySourceMap, TextMaps
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Mark, SourceMap


class QuickParsed(NamedTuple):
    """One YAML document: plain data (None if empty), the places of its values, and where it begins, if known."""

    data: Any
    places: SourceMap | LazySourceMap
    start: Mark | None


def parse_quickly(text: Text, *, as_json: bool = True) -> tuple[list[QuickParsed], list[Diagnostic]]:
    """The same documents and faults as from `parse`. For plain texts, places are computed later."""
    plain = plain_text(text)
    if plain is not None:
        return restore(text, plain), []
    documents, faults = parse(text, as_json=as_json)
    starts = (Mark(document.places.start.line, document.places.start.column) for document in documents)
    return [QuickParsed(*document, start) for document, start in zip(documents, starts, strict=True)], faults


def plain_text(text: Text) -> Sequence[tuple[Any, Mark | None]] | None:
    """The data of all documents in a plain text, and where each begins; None if PyYAML has to read it."""
    from gitgpu.load.parse.plain import plain_documents  # noqa: PLC0415  a build with nothing to do parses nothing

    return None if conflict(text) else plain_documents(text.content)


def restore(text: Text, documents: Sequence[tuple[Any, Mark | None]]) -> list[QuickParsed]:
    """All documents of a text without faults, from their data and where they begin."""
    text_maps = TextMaps(text, len(documents))
    parsed = []
    for index, (data, start) in enumerate(documents):
        parsed.append(QuickParsed(data, LazySourceMap(text_maps, index, start, data), start))
    return parsed


def mapping_in(text: Any) -> Mapping[str, Any]:
    """The mapping in a YAML text that is a value of an object; empty if it cannot be read or is not a mapping."""
    return _read(text) if isinstance(text, str) else {}


@lru_cache(1 << 8)  # every cluster has the same few texts
def _read(text: str) -> Mapping[str, Any]:
    documents, faults = parse_quickly(Text("text", text, "text"))
    return mapping_at(documents[0].data) if len(documents) == 1 and not faults else {}
