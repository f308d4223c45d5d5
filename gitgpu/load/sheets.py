"""The files of a lint run: what was named, and what the kustomizations in it name beside that."""

import posixpath
from collections.abc import Collection, Container, Iterable, Mapping
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.charts import chart_of, charts_of, unrendered
from gitgpu.load.kustomize import FILES, Kustomization, Use, below, is_kustomization, kustomization
from gitgpu.load.objects import Sheet, sheet
from gitgpu.load.read import exists, is_file, read_text
from gitgpu.load.templates import first_action
from gitgpu.load.text import Text
from gitgpu.load.yaml import parse


class Sheets(NamedTuple):
    """Everything that was read, by name of file. `faults` are those of files that are no sheet."""

    texts: Mapping[str, Text]
    sheets: Mapping[str, Sheet]
    kustomizations: Mapping[str, Kustomization]
    faults: tuple[Diagnostic, ...]


def read_sheets(texts: Iterable[Text], named: Container[str] | None = None) -> Sheets:
    """The sheets of these texts and of the files that kustomizations among them name.

    `named` are those that were asked for by their own names, None for all of them. The others were found in
    directories: what they hold beside Kubernetes objects is passed over, and their templates are one note for a chart
    or a folder.
    """
    found: dict[str, Text] = {}
    sheets: dict[str, Sheet] = {}
    known: dict[str, Kustomization] = {}
    faults: list[Diagnostic] = []
    waiting = list(texts)
    given = {text.name for text in waiting}  # what a file says here goes before what it says on disk
    charts = charts_of(given)
    while waiting:
        text = waiting.pop()
        if text.name in found:
            continue
        found[text.name] = text
        one = _kustomization(text)
        if one is None:
            sheets[text.name] = _sheet(text, charts, named)
            continue
        known[text.name] = one
        for use in one.uses:
            inside = {posixpath.join(use.path, file) for file in FILES}
            if not (use.path in found or {use.path, *inside} & given or below(use.path, known)):
                read = _follow(use, one)
                (waiting if isinstance(read, Text) else faults).append(read)  # type: ignore[arg-type]
    return Sheets(found, sheets, known, (*faults, *unrendered(sheets, charts)))


def _sheet(text: Text, charts: Collection[str], named: Container[str] | None) -> Sheet:
    if named is None or text.name in named or is_kustomization(text.name):
        return sheet(text)
    if chart_of(text.name, charts) is not None and "{{" in text.content:
        return Sheet((), (), (), first_action(text.name, text.content))
    return sheet(text, named=False)


def _kustomization(text: Text) -> Kustomization | None:
    if not is_kustomization(text.name):
        return None
    documents, faults = parse(text)
    if faults or len(documents) != 1 or not isinstance(documents[0].data, dict):
        return None
    return kustomization(text.name, documents[0].data, documents[0].places)


def _follow(use: Use, one: Kustomization) -> Text | Diagnostic:
    """The text of what a kustomization names: the file, or the kustomization of the directory."""
    if is_file(use.path):
        return read_text(use.path)
    inside = [path for file in FILES if is_file(path := posixpath.join(use.path, file))]
    if inside:
        return read_text(inside[0])
    missing = "the directory has no kustomization.yaml" if exists(use.path) else "is not there"
    remedy = "correct the path, which is seen from the kustomization"
    return Diagnostic("LNT004", Severity.ERROR, f"{use.path}: {missing}", remedy, one.places.span(use.pointer))
