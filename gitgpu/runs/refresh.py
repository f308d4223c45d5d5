"""The rows that a refresh results in, as texts of the directory of a catalog, and the facts that they change."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.compare.facts import RowChange, row_changes
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.catalog.folders import Folder, entries, row_text, with_texts
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.text import Text
from gitgpu.refresh.row import CatalogUpdate, OwnedRow
from gitgpu.source import Span
from gitgpu.write.catalog.row_text import is_generated, render_row


class Refreshed(NamedTuple):
    """The texts of the rows that change, by path below the directory ("" removes a row), and the facts that change.

    `same` is the number of generated rows that do not change. If there are `faults`, a row could not be read again.
    """

    texts: Mapping[str, str]
    changes: tuple[RowChange, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    same: int = 0
    faults: tuple[Diagnostic, ...] = ()


def refresh_rows(update: CatalogUpdate, configured: Sequence[Folder], target: Folder) -> Refreshed:
    """The rows as texts of the directory, and the facts that they change."""
    texts: dict[str, str] = {}
    before: dict[str, str] = {}
    theirs: dict[str, OwnedRow] = {}
    for row in update.rows:
        old = before.setdefault(row.path, _text(target, row.path))
        if old and not is_generated(old):
            theirs[row.path] = row
        else:
            texts[row.path] = render_row(texts.get(row.path, old), row)
    changed = {path: text for path, text in texts.items() if text != before[path]}
    changes, faults = _changes(changed, configured, target)
    notes = [_foreign_row(target, path) for path in theirs]
    notes += (unknown.finding for unknown in update.unknown)
    same = sum(1 for path, text in texts.items() if text and path not in changed)
    return Refreshed(changed, changes, tuple(notes), same, faults)


def _changes(
    texts: Mapping[str, str], configured: Sequence[Folder], target: Folder
) -> tuple[tuple[RowChange, ...], tuple[Diagnostic, ...]]:
    """The facts that these texts of the directory change, and the faults of rows that cannot be read again."""
    folders = configured if target in configured else (*configured, target)
    later = [with_texts(folder, texts) if folder == target else folder for folder in folders]
    read = CatalogFiles(later)
    return tuple(row_changes(CatalogFiles(folders), read)), tuple(read.faults)


def _text(folder: Folder, path: str) -> str:
    """The row in a directory; "" if it has no such row."""
    kind, _, name = path.partition("/")
    text = row_text(folder, path) if name in entries(folder, kind) else None
    return text.content if isinstance(text, Text) else ""


def _foreign_row(target: Folder, path: str) -> Diagnostic:
    message = "was not changed: `gitgpu catalog refresh` did not write it"
    remedy = "move it to a directory that comes later in `catalog`, so that it adds to the refreshed row"
    return Diagnostic("CAT015", Severity.INFO, message, remedy, Span(f"{target.path}/{path}"))
