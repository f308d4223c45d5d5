"""The age of the facts that a finding rests on, for the end of its message."""

import re
from collections.abc import Iterable, Iterator

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.dates import evidence_day, is_old

_WORD = re.compile(r"[A-Za-z0-9](?:[\w.-]*\w)?")


def with_age(message: str, row: Facts | None, facts: Iterable[str], catalog: Catalog, today: str) -> str:
    """A message that rests on a row and on the `facts` of its rule, with the date of the oldest one if that is old."""
    if not today:
        return message
    rows = [row] if row else []
    for name in facts:
        rows += _rows(name, message, catalog)
    day = min(map(evidence_day, rows), default=today)
    return f"{message} (a fact of {day})" if is_old(day, today) else message


def _rows(name: str, message: str, catalog: Catalog) -> Iterator[Facts]:
    """The rows that an entry of `facts` means: see `Rule`."""
    kind, _, row = name.partition("/")
    if row == "*":
        yield from sorted(catalog.rows(kind).values(), key=evidence_day)[-1:]
    elif row:
        yield catalog.must(kind, row)
    else:
        names = set(catalog.names(kind)).intersection(_WORD.findall(message))
        yield from filter(None, (catalog.facts(kind, named) for named in sorted(names)))
