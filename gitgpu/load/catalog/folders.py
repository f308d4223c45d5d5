"""A directory of rows, `<kind>/<name>.yaml`: on disk, or texts from a Git revision or before they are written."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.load.read import data_root, decode, is_file, listing, read_bytes, read_text
from gitgpu.load.text import Text
from gitgpu.source import Span

SUFFIX = ".yaml"
OWN = "catalog"
_SCHEMA = ".schema.json"


class Folder(NamedTuple):
    """A directory of rows. `label` is its name in the output: the same on every machine, and "" for gitgpu's own.

    With `texts`, by path below the directory, nothing is read from disk.
    """

    path: str
    label: str
    texts: Mapping[str, str] | None = None


@cache
def gitgpus() -> Folder:
    """The catalog that gitgpu comes with."""
    return Folder(f"{data_root()}/{OWN}", "")


def known_kinds() -> tuple[str, ...]:
    """The kinds of rows, by the names of their schemas."""
    names = listing(f"{data_root()}/schemas/catalog")
    return tuple(name.removesuffix(_SCHEMA) for name in names if name.endswith(_SCHEMA))


def entries(folder: Folder, kind: str = "") -> Sequence[str]:
    """The names in the directory, or in its folder for a kind, sorted."""
    if folder == gitgpus():
        return _own_entries(kind)
    if folder.texts is None:
        return listing(f"{folder.path}/{kind}" if kind else folder.path)
    below = f"{kind}/" if kind else ""
    return sorted({path.removeprefix(below).partition("/")[0] for path in folder.texts if path.startswith(below)})


def row_names(folder: Folder, kind: str) -> Iterator[str]:
    """The names of the rows of a kind in a directory."""
    for name in entries(folder, kind):
        if name.endswith(SUFFIX) and not name.startswith("."):
            yield name.removesuffix(SUFFIX)


def row_text(folder: Folder, file: str) -> Text | Diagnostic:
    """The text of a file in a directory. Pipes and devices, which block, and links out of it are not read."""
    path = f"{folder.path}/{file}"
    if folder.texts is not None:
        return Text(path, folder.texts[file], file)
    if folder == gitgpus():
        return _own_text(path)
    why = outside_reason(path, allowed_roots([path.rsplit("/", 2)[0]])) if folder.label else ""
    if why or not is_file(path):
        why = f"is not read: it {why}" if why else "cannot be read: not a regular file"
        return fault("INP001", why, "replace it with a file, or remove it", Span(path))
    return read_text(path)


def row_bytes(folder: Folder, file: str) -> bytes:
    """The content of a file in a directory, only for comparing; empty if it cannot be read."""
    if folder.texts is not None:
        return folder.texts[file].encode()
    path = f"{folder.path}/{file}"
    if folder == gitgpus():
        return _own_bytes(path)
    return read_bytes(path) if is_file(path) else b""


# gitgpu's own rows do not change while it runs, and a process may read several catalogs on top of them.
@cache
def _own_entries(kind: str) -> tuple[str, ...]:
    return tuple(listing(f"{gitgpus().path}/{kind}"))


@cache
def _own_text(path: str) -> Text | Diagnostic:
    content = _own_bytes(path)  # the digest of the catalog is computed from it
    return decode(path, content) if content else read_text(path)


@cache
def _own_bytes(path: str) -> bytes:
    return read_bytes(path)


def with_texts(folder: Folder, texts: Mapping[str, str]) -> Folder:
    """The directory as if these files had been written to it. An empty text removes a row."""
    whole: dict[str, str] = {}
    for kind in entries(folder):
        for name in row_names(folder, kind):
            file = f"{kind}/{name}{SUFFIX}"
            text = row_text(folder, file)
            if isinstance(text, Text):
                whole[file] = text.content
    whole |= texts
    return folder._replace(texts={file: text for file, text in whole.items() if text})
