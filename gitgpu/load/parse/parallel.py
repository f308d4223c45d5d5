"""Many texts, parsed by several processes. What comes back is plain data; places are computed when one is needed."""

import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.jobs import results, shares, usual
from gitgpu.load.parse.plain import Plain
from gitgpu.load.parse.quick import QuickParsed, parse_quickly, plain_text, restored
from gitgpu.load.text import Text
from gitgpu.source import Mark

WORTHWHILE = 200_000  # characters that take longer to parse than it takes to start a process for each core
_LITTLE = 100_000  # characters that one process parses, whatever is asked for


class Parsing(NamedTuple):
    """Texts that are being parsed. `documents` waits for their documents, by name, and is called once.

    `elsewhere` means that other processes parse them.
    """

    documents: Callable[[], dict[str, list[QuickParsed]]]
    elsewhere: bool


def parse_all(texts: Sequence[Text], jobs: int | None) -> Parsing:
    """Begins to parse texts. Their documents are as `parse_quickly` gives them.

    Texts with faults are left out. Equal texts are parsed once and share their data. `jobs` is how many processes there
    are, None for as many as are worth it; this process can do something else meanwhile. If this process is enough, it
    parses when the documents are asked for, and texts that only PyYAML can read are left out too.
    """
    distinct = list({text.content: text for text in texts}.values())
    amount = sum(len(text.content) for text in distinct)
    number = min(usual(amount, WORTHWHILE), amount // _LITTLE) if jobs is None else jobs
    if number <= 1 or amount < _LITTLE:
        return Parsing(lambda: _by_name(texts, {text.content: plain_text(text) for text in distinct}), elsewhere=False)
    parts = [distinct[slice(*part)] for part in shares(len(distinct), number)]
    written = results(_rows, parts, number)
    return Parsing(lambda: _by_name(texts, _by_content(parts, written)), elsewhere=True)


def _by_name(texts: Iterable[Text], plain: Mapping[str, list[Plain] | None]) -> dict[str, list[QuickParsed]]:
    found = ((text, plain.get(text.content)) for text in texts)
    return {text.name: restored(text, documents) for text, documents in found if documents is not None}


def _by_content(parts: Iterable[Sequence[Text]], written: Iterable[bytes]) -> dict[str, list[Plain]]:
    found: dict[str, list[Plain]] = {}
    for texts, row in zip(parts, written, strict=True):
        for text, rows in zip(texts, marshal.loads(row), strict=True):  # noqa: S302  our own workers wrote it
            if rows is not None:
                found[text.content] = [Plain(data, start and Mark(*start)) for data, start in rows]
    return found


def _rows(texts: Sequence[Text]) -> bytes:
    """The data of the documents of each text and where they begin; None for a text with faults."""
    every: list[Any] = []
    for text in texts:
        documents, faults = parse_quickly(text)
        rows = [(document.data, document.start and tuple(document.start)) for document in documents]
        every.append(None if faults else rows)
    return marshal.dumps(every)
