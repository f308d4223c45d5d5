"""Many texts, parsed by several processes. They return plain data; places are computed when one is needed."""

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.counting import Count, counting, no_count
from gitgpu.jobs import PARTS, processes, results
from gitgpu.load.parse.plain import Plain
from gitgpu.load.parse.quick import QuickParsed, parse_quickly, plain_text, restore
from gitgpu.load.text import Text
from gitgpu.source import Mark

MIN_PARALLEL = 200_000  # characters: parsing so many takes longer than starting a process for each core
_MIN_SHARE = 100_000  # characters that one process parses, even if more processes are requested
_SEPARATOR = "\n---\n"


class Parsing(NamedTuple):
    """Texts that are being parsed. `documents` waits for their documents, by name, and is called once.

    `elsewhere` means that other processes parse them.
    """

    documents: Callable[[], dict[str, list[QuickParsed]]]
    elsewhere: bool


class Piece(NamedTuple):
    """Some documents of a text: all of them, or those from a line (from 0) on. `whole` is the content of the text."""

    text: Text
    line: int
    whole: str


def parse_all(texts: Sequence[Text], jobs: int | None, on_count: Count = no_count) -> Parsing:
    """Starts parsing texts, in the background if several processes do it. Documents come from `parse_quickly`.

    Texts with faults are omitted. Equal texts are parsed once and share their data. `jobs` is the number of processes;
    None chooses it by the amount of text. If this process alone is used, it parses when `documents` is called, and
    texts that only PyYAML can read are omitted too. `on_count` gets the number of distinct texts that are parsed.
    """
    distinct = list({text.content: text for text in texts}.values())
    amount = sum(len(text.content) for text in distinct)
    number = processes(jobs, amount, MIN_PARALLEL)
    if jobs is None:
        number = min(number, amount // _MIN_SHARE)
    if number <= 1 or amount < _MIN_SHARE:
        one_by_one = counting(distinct, on_count)
        return Parsing(
            lambda: _by_name(texts, {text.content: plain_text(text) for text in one_by_one}), elsewhere=False
        )
    parts = _parts(chain.from_iterable(map(_pieces, distinct)), amount // (number * PARTS) + 1)
    written = results(_rows, parts, number)

    def of_distinct(done: int) -> None:
        on_count(done, len(distinct))

    return Parsing(lambda: _by_name(texts, _by_content(parts, written, of_distinct)), elsewhere=True)


def _by_name(
    texts: Iterable[Text], plain: Mapping[str, Sequence[tuple[Any, Mark | None]] | None]
) -> dict[str, list[QuickParsed]]:
    pairs = ((text, plain.get(text.content)) for text in texts)
    return {text.name: restore(text, documents) for text, documents in pairs if documents is not None}


def _pieces(text: Text) -> Iterator[Piece]:
    """A large text in pieces that begin with a separator, so that several processes can share it."""
    # One piece if documents depend on each other: JSON is one document, a merge conflict may contain a separator, and
    # the limit on aliases applies to the whole file.
    content, start, line = text.content, 0, 0
    if len(content) <= _MIN_SHARE or content.lstrip()[:1] in ("{", "[") or "&" in content or "<<<<<<<" in content:
        yield Piece(text, 0, content)
        return
    while end := content.find(_SEPARATOR, start + _MIN_SHARE) + 1:
        yield Piece(text._replace(content=content[start:end]), line, content)
        line += content.count("\n", start, end)
        start = end
    yield Piece(text._replace(content=content[start:]), line, content)


def _parts(pieces: Iterable[Piece], size: int) -> list[list[Piece]]:
    """The pieces in parts of at least `size` characters."""
    parts: list[list[Piece]] = []
    room = 0
    for piece in pieces:
        if room <= 0:
            parts.append([])
            room = size
        parts[-1].append(piece)
        room -= len(piece.text.content)
    return parts


def _by_content(
    parts: Iterable[Sequence[Piece]], written: Iterable[bytes], count: Callable[[int], None]
) -> dict[str, list[Plain] | None]:
    by_content: dict[str, list[Plain] | None] = {}
    for pieces, row in zip(parts, written, strict=True):
        for piece, rows in zip(pieces, marshal.loads(row), strict=True):  # noqa: S302  our own workers wrote it
            documents = by_content.setdefault(piece.whole, [])
            if rows is None or documents is None:  # a text with faults is parsed again, as a whole
                by_content[piece.whole] = None
            else:
                documents += [Plain(data, start and Mark(*start)) for data, start in rows]
        count(len(by_content))
    return by_content


def _rows(pieces: Sequence[Piece]) -> bytes:
    """The data of the documents in each piece, and where they begin; None for a piece with faults."""
    every: list[Any] = []
    for text, line, _ in pieces:
        documents, faults = parse_quickly(text)
        rows = [(data, start and (start.line + line, start.column)) for data, _, start in documents]
        every.append(None if faults else rows)
    return marshal.dumps(every)
