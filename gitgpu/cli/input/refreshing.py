"""The input of `gitgpu catalog refresh`, and the rows that it results in."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeVar

import click

from gitgpu.cli.input.regions import known_region
from gitgpu.compare.facts import RowChange, row_changes
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.encodings import decode_output
from gitgpu.load.catalog.folders import Folder, entries, row_text, with_texts
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import listing, read_text
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.refresh.answers import charts, prices, quotas, sizes, versions
from gitgpu.refresh.answers.charts import ChartIndex
from gitgpu.refresh.row import CatalogUpdate, OwnedRow, Unknown
from gitgpu.refresh.rows import Answers
from gitgpu.source import Span
from gitgpu.write.catalog.row_text import is_generated
from gitgpu.write.catalog.row_text import row_text as written

MAX_BYTES = 1 << 30  # bytes per file: `az vm list-skus --all` for every region prints about 150 MB
_SUFFIXES = (".json", ".yaml", ".yml")
# The region in front of a file, such as swedencentral=usage.json; people also write "Sweden Central".
_REGION = re.compile(r"([A-Za-z0-9 ]+)=(.+)")
Fact = TypeVar("Fact")


class Named(NamedTuple):
    """The files on the command line by content; each field is an option of the command."""

    skus: tuple[str, ...]
    prices: tuple[str, ...]
    usage: tuple[str, ...]
    versions: tuple[str, ...]
    charts: tuple[str, ...]


class Refreshed(NamedTuple):
    """The texts of the rows that change, by path below the directory ("" removes a row), and the facts that change.

    `same` is the number of generated rows that do not change. If there are `faults`, a row could not be read again.
    """

    texts: Mapping[str, str]
    changes: tuple[RowChange, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    same: int = 0
    faults: tuple[Diagnostic, ...] = ()


def read_answers(named: Named, catalog: Catalog, today: str) -> tuple[Answers, list[Diagnostic]]:
    """The facts in all files, and the faults of the files. Raises click.UsageError for an unknown day or region."""
    faults: list[Diagnostic] = []
    wanted = {row["chart"] for row in catalog.rows("charts").values()}
    indices = _each(named.charts, partial(_index, wanted=wanted), faults)
    listed = _each(named.skus, sizes.sizes, faults)
    pages: list[prices.Page] = []
    sold = _each(named.prices, partial(_priced, pages=pages), faults)
    faults += prices.missing_pages(pages)
    # Only the index of a chart repository can state its own date.
    undated = any(named[:-1]) or any(not index.day for index in indices)
    if undated and not today:
        raise click.UsageError('pass the date on which the files were fetched: --today "$(date +%F)"')
    named_regions = {size.region for size in listed} | {price.region for price in sold}
    regions = {region for region in named_regions if catalog.facts("regions", region)}
    usage = _by_region(named.usage, quotas.OPTION, catalog, regions)
    offered = _by_region(named.versions, versions.OPTION, catalog, regions)
    limits = {region: tuple(_each(files, quotas.limits, faults)) for region, files in usage.items()}
    minors = {region: tuple(_each(files, versions.versions, faults)) for region, files in offered.items()}
    return Answers(tuple(listed), tuple(sold), limits, minors, tuple(indices), today), faults


def _by_region(
    entries: Iterable[str], option: str, catalog: Catalog, others: Collection[str]
) -> Mapping[str, Sequence[str]]:
    """The files of REGION=FILE by region. A FILE without a region is for the region of all other files."""
    by_region: dict[str, list[str]] = {}
    for entry in entries:
        if entry.startswith("=") or entry.endswith("="):
            raise click.BadParameter(f"'{entry}' is not REGION=FILE", param_hint=option)
        pair = _REGION.fullmatch(entry)
        if not pair and len(others) != 1:
            raise click.BadParameter(f"the file does not contain a region: {option} REGION={entry}", param_hint=option)
        region, path = pair.groups() if pair else (next(iter(others)), entry)
        by_region.setdefault(known_region(region, catalog, option), []).append(path)
    return by_region


def _priced(text: Text, pages: list[prices.Page]) -> tuple[list[prices.Price], list[Diagnostic]]:
    pages += prices.pages(text)
    return prices.prices(text)


def _index(text: Text, wanted: set[str]) -> tuple[list[ChartIndex], list[Diagnostic]]:
    index, faults = charts.charts(text, wanted)
    return [index] if index else [], faults


def _each(
    paths: Iterable[str], read: Callable[[Text], tuple[list[Fact], list[Diagnostic]]], faults: list[Diagnostic]
) -> list[Fact]:
    """The facts in these files. They are read one at a time, because each can be large."""
    all_facts: list[Fact] = []
    for path in chain.from_iterable(map(_files, paths)):
        text = read_text(path, decoding=decode_output, maximum=MAX_BYTES)
        facts, wrong = read(text) if isinstance(text, Text) else ([], [text])
        all_facts += facts
        faults += wrong
    return all_facts


def _files(path: str) -> Sequence[str]:
    """The file, or the files in a directory."""
    if not os.path.isdir(path):
        return (path,)
    files = [f"{path.rstrip('/')}/{name}" for name in listing(path) if name.endswith(_SUFFIXES)]
    if not files:
        raise click.UsageError(f"{path} contains no file that ends in {', '.join(_SUFFIXES)}")
    return files


def refreshed(update: CatalogUpdate, configured: Sequence[Folder], target: Folder) -> Refreshed:
    """The rows as texts of the directory, and the facts that they change."""
    texts: dict[str, str] = {}
    before: dict[str, str] = {}
    theirs: dict[str, OwnedRow] = {}
    for row in update.rows:
        old = before.setdefault(row.path, _text(target, row.path))
        if old and not is_generated(old):
            theirs[row.path] = row
        else:
            texts[row.path] = written(texts.get(row.path, old), row)
    changed = {path: text for path, text in texts.items() if text != before[path]}
    changes, faults = _changes(changed, configured, target)
    notes = [_left(target, path) for path in theirs]
    notes += map(_unknown, update.unknown)
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


def _left(target: Folder, path: str) -> Diagnostic:
    message = "was not changed: `gitgpu catalog refresh` did not write it"
    remedy = "move it to a directory that comes later in `catalog`, so that it adds to the refreshed row"
    return Diagnostic("CAT015", Severity.INFO, message, remedy, Span(f"{target.path}/{path}"))


def _unknown(fact: Unknown) -> Diagnostic:
    remedies = {
        "size": "update gitgpu; or describe the size in your own catalog, with a row for its GPU",
        "region": "update gitgpu; or describe the region in your own catalog",
    }
    message = f"the {fact.kind} {fact.name} is not in the catalog and was skipped"
    remedy = remedies.get(fact.kind, "")
    if not remedy:
        message = f"has the chart of {fact.name}, but not the release that the catalog has, and was skipped"
        remedy = "pass the index of the repository in the catalog"
    return Diagnostic("CAT016", Severity.INFO, message, remedy, fact.place)
