"""Faults of the user's directories: files that are not rows, or a directory that is not a catalog."""

from collections.abc import Iterator

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.catalog.folders import SUFFIX, Folder, entries, known_kinds, row_names, row_text
from gitgpu.load.catalog.row import parse_row
from gitgpu.load.read import is_file
from gitgpu.load.text import Text
from gitgpu.source import Span


def no_catalog(folder: Folder) -> Diagnostic | None:
    """The fault that a directory has no rows, and no files that could be meant as rows. It replaces other faults."""
    kinds = known_kinds()
    for kind in entries(folder):
        for name in row_names(folder, kind):
            if _is_meant_as_row(folder, kind, name, is_known=kind in kinds):
                return None
    place = Span(folder.path)
    if not entries(folder) and not is_file(folder.path):
        remedy = "correct the path, or write rows there with `gitgpu catalog refresh`"
        return fault("CAT006", "is not a catalog: there is no such directory, or it is empty", remedy, place)
    remedy = f"use a directory with folders such as {folder.path}/skus; the kinds are {', '.join(kinds)}"
    return fault("CAT006", "is not a catalog: no folder in it contains a row", remedy, place)


def _is_meant_as_row(folder: Folder, kind: str, name: str, *, is_known: bool) -> bool:
    """Whether a file could be meant as a row.

    In the folder of a kind: a file with a name, or one that is not a mapping. In any other folder: a file whose name is
    that of its row.
    """
    text = row_text(folder, f"{kind}/{name}{SUFFIX}")
    documents, _ = parse_row(text) if isinstance(text, Text) else ((), ())
    if not documents or not isinstance(documents[0].data, dict):
        return is_known
    named = documents[0].data.get("name")
    return named == name or (is_known and isinstance(named, str))


def strangers(folder: Folder) -> Iterator[Diagnostic]:
    """Faults for files in a user's directory that are not rows, since their names may be misspelled."""
    kinds, path = known_kinds(), folder.path
    for kind in kinds:
        for name in entries(folder, kind):
            if not name.endswith(SUFFIX) and not name.startswith("."):
                place = Span(f"{path}/{kind}/{name}")
                remedy = f"give it a name that ends in {SUFFIX}"
                yield fault("CAT006", "is ignored: it is not a catalog row", remedy, place)
    for name in entries(folder):
        if name.endswith((".yaml", ".yml")):
            remedy = f"use a directory with folders such as {path}/skus; the kinds are {', '.join(kinds)}"
            yield fault("CAT006", "is ignored: it is not in a folder", remedy, Span(f"{path}/{name}"))
