"""The facts of rows that change, and a refresh, as text and for programs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gitgpu.compare.change import Field, Kind
from gitgpu.compare.facts import RowChange
from gitgpu.diagnostic import Diagnostic
from gitgpu.report.envelope import envelope
from gitgpu.report.result import result
from gitgpu.report.terminal import printable
from gitgpu.spelling import count_text

_MAX_FACTS = 20  # the most facts of a row in the text; JSON has all


def fact_lines(changes: Iterable[RowChange]) -> Iterator[str]:
    """The facts that differ, row by row."""
    for row in changes:
        if row.change is not Kind.CHANGED:
            yield f"{printable(row.path)}: {row.change}, {count_text(len(row.fields), 'fact')}"
            continue
        yield printable(row.path)
        yield from (f"  {_fact(field)}" for field in row.fields[:_MAX_FACTS])
        if len(row.fields) > _MAX_FACTS:
            yield f"  and {len(row.fields) - _MAX_FACTS} more"


def _fact(field: Field) -> str:
    return printable(f"{field.path}: {_value(field.before)} -> {_value(field.after)}")


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "unknown" if value is None else str(value)


def row_change(row: RowChange) -> dict[str, Any]:
    """A row for programs."""
    facts = [{"path": field.path, "before": field.before, "after": field.after} for field in row.fields]
    return {"kind": row.kind, "name": row.name, "change": row.change.value, "facts": facts}


def refresh_json(
    directory: str, files: Sequence[tuple[str, str]], changes: Sequence[RowChange], notes: Sequence[Diagnostic]
) -> str:
    """The document of a refresh. `files` are paths with their texts, "" for a removed file."""
    content = {
        "directory": directory,
        "files": [{"path": path, "text": text or None} for path, text in files],
        "changes": [row_change(row) for row in changes],
        "findings": [result(note) for note in notes],
    }
    return envelope("CatalogRefresh", content)
