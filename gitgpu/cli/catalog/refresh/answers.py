"""The files of a refresh: answers of Azure and of chart repositories."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

import click

from gitgpu.cli.catalog.refresh.arguments import Arguments
from gitgpu.cli.input.regions import known_region
from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.encodings import decode_output
from gitgpu.load.read import listing, read_text
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.refresh.answers import charts, prices, quotas, sizes, versions
from gitgpu.refresh.answers.charts import ChartIndex
from gitgpu.refresh.rows import Answers

MAX_BYTES = 1 << 30  # bytes per file: `az vm list-skus --all` for every region prints about 150 MB
_SUFFIXES = (".json", ".yaml", ".yml")
# The region in front of a file, such as swedencentral=usage.json; people also write "Sweden Central".
_REGION = re.compile(r"([A-Za-z0-9 ]+)=(.+)")
Fact = TypeVar("Fact")


def read_answers(arguments: Arguments, catalog: Catalog) -> tuple[Answers, list[Diagnostic]]:
    """The facts in all files, and the faults of the files. Raises click.UsageError for an unknown day or region."""
    faults: list[Diagnostic] = []
    wanted = {row["chart"] for row in catalog.rows("charts").values()}
    indices = _each(arguments.charts, partial(_index, wanted=wanted), faults)
    listed = _each(arguments.skus, sizes.sizes, faults)
    pages: list[prices.Page] = []
    sold = _each(arguments.prices, partial(_prices, pages=pages), faults)
    faults += prices.missing_pages(pages)
    is_undated = arguments.of_azure or any(not index.day for index in indices)
    if is_undated and not arguments.today:
        raise click.UsageError('pass the date on which the files were fetched: --today "$(date +%F)"')
    named_regions = {size.region for size in listed} | {price.region for price in sold}
    regions = {region for region in named_regions if catalog.facts("regions", region)}
    usage = _by_region(arguments.usage, quotas.OPTION, catalog, regions)
    offered = _by_region(arguments.versions, versions.OPTION, catalog, regions)
    limits = {region: tuple(_each(files, quotas.limits, faults)) for region, files in usage.items()}
    minors = {region: tuple(_each(files, versions.versions, faults)) for region, files in offered.items()}
    return Answers(tuple(listed), tuple(sold), limits, minors, tuple(indices), arguments.today), faults


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


def _prices(text: Text, pages: list[prices.Page]) -> tuple[list[prices.Price], list[Diagnostic]]:
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
