"""Many texts, parsed by several processes. What comes back is plain data; places are computed when one is asked for."""

import marshal
from collections.abc import Sequence
from typing import Any

from gitgpu.jobs import shares, spread, usual
from gitgpu.load.parse.quick import QuickParsed, parse_quickly, restored
from gitgpu.load.text import Text
from gitgpu.source import Mark

WORTHWHILE = 2_000_000  # characters that take longer to parse than it takes to start a process for each core
_LITTLE = 100_000  # characters that one process parses, whatever is asked for


def parse_all(texts: Sequence[Text], jobs: int | None) -> dict[str, list[QuickParsed]]:
    """The documents of texts by name, as `parse_quickly` gives them; texts with faults are left out.

    Empty where one process is enough. `jobs` is how many there are, None for as many as are worth it.
    """
    amount = sum(len(text.content) for text in texts)
    number = usual(amount, WORTHWHILE) if jobs is None else jobs
    if number == 1 or amount < _LITTLE:
        return {}
    parts = shares(len(texts), number)
    found: dict[str, list[QuickParsed]] = {}
    for (first, last), written in zip(
        parts, spread(lambda part: _rows(texts[slice(*part)]), parts, number), strict=True
    ):
        for text, rows in zip(texts[first:last], marshal.loads(written), strict=True):  # noqa: S302  our own workers wrote it
            if rows is not None:
                found[text.name] = restored(text, [(data, start and Mark(*start)) for data, start in rows])
    return found


def _rows(texts: Sequence[Text]) -> bytes:
    """The data of the documents of each text and where they begin; None for a text with faults."""
    every: list[Any] = []
    for text in texts:
        documents, faults = parse_quickly(text)
        every.append(
            None if faults else [(document.data, document.start and tuple(document.start)) for document in documents]
        )
    return marshal.dumps(every)
