"""The files of a lint run: what was named, and what the kustomizations in it name beside that."""

import posixpath
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.flux import is_flux
from gitgpu.load.kustomize import FILES, Kustomization, Use, below, is_kustomization, kustomization
from gitgpu.load.objects import Sheet, sheet
from gitgpu.load.read import exists, is_file, read_text
from gitgpu.load.text import Text
from gitgpu.load.yaml import parse


class Sheets(NamedTuple):
    """Everything that was read, by name of file. `faults` are those of files that are no sheet."""

    texts: Mapping[str, Text]
    sheets: Mapping[str, Sheet]
    kustomizations: Mapping[str, Kustomization]
    faults: tuple[Diagnostic, ...]


def read_sheets(texts: Iterable[Text]) -> Sheets:
    """The sheets of these texts and of the files that kustomizations among them name."""
    found: dict[str, Text] = {}
    sheets: dict[str, Sheet] = {}
    known: dict[str, Kustomization] = {}
    faults: list[Diagnostic] = []
    waiting = list(texts)
    given = {text.name for text in waiting}  # what a file says here goes before what it says on disk
    while waiting:
        text = waiting.pop()
        if text.name in found:
            continue
        found[text.name] = text
        one = _kustomization(text)
        if one is None:
            sheets[text.name] = sheet(text)
            continue
        known[text.name] = one
        for use in one.uses:
            inside = {posixpath.join(use.path, file) for file in FILES}
            if not (use.path in found or {use.path, *inside} & given or below(use.path, known)):
                read = _follow(use, one)
                (waiting if isinstance(read, Text) else faults).append(read)  # type: ignore[arg-type]
    return settled(Sheets(found, sheets, known, tuple(faults)))


def settled(read: Sheets) -> Sheets:
    """The sheets with what was waiting: among the objects where Flux may replace `${NAME}`, else among the faults."""
    files = {name: one.objects + tuple(each for each, _ in one.waiting) for name, one in read.sheets.items()}
    if is_flux(files):
        return read._replace(sheets={name: one._replace(objects=files[name]) for name, one in read.sheets.items()})
    sheets = {
        name: one._replace(faults=(*one.faults, *(why for _, why in one.waiting)), waiting=())
        for name, one in read.sheets.items()
    }
    return read._replace(sheets=sheets)


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
