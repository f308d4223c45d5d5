"""The older catalog that `gitgpu catalog diff` compares with: of a Git revision, a directory, or another release."""

import os
from collections.abc import Iterator
from typing import NamedTuple

import click

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog.folders import OWN, Folder, entries, gitgpus, row_names, row_text, with_texts
from gitgpu.load.catalog.misplaced_files import no_catalog
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.git import UNKNOWN, read_revision, revision
from gitgpu.load.read import is_file, label
from gitgpu.load.text import Text

# A row that every release of gitgpu's own catalog has, and no other catalog.
_MARK = "labels/karpenter.yaml"
# Kinds whose rows differ between releases. Of all other kinds, gitgpu relies on single rows by name.
_OPEN = frozenset({"drivers", "gpus", "images", "karpenter", "kaito", "kubernetes", "prices", "regions", "skus"})
_OLDER = "older"


class OlderCatalog(NamedTuple):
    """The directories of the older catalog, its description, and its faults."""

    folders: tuple[Folder, ...]
    description: str
    faults: tuple[Diagnostic, ...] = ()


def older_catalog(old: str | None, configured: tuple[Folder, ...]) -> OlderCatalog:
    """The catalog of a revision or a directory. Raises click.UsageError if there is nothing to compare."""
    if old and os.path.isdir(old):
        return _directory(old.rstrip("/") or old, configured)
    if not configured:
        raise click.UsageError(
            "`catalog` in .gitgpu.yaml lists no directory, so the fleet is built with gitgpu's catalog alone: pass the "
            "`catalog` directory of another gitgpu release"
        )
    older = _catalog_of_revision(old or "HEAD", configured)
    before_first_commit = not old and any(fault.code == UNKNOWN for fault in older.faults)
    return OlderCatalog((), "gitgpu's own catalog") if before_first_commit else older


def _catalog_of_revision(name: str, configured: tuple[Folder, ...]) -> OlderCatalog:
    folders: list[Folder] = []
    faults: list[Diagnostic] = []
    for folder in configured:
        commit = revision(name, folder.path)
        if isinstance(commit, Diagnostic):
            return OlderCatalog((), name, (commit,))
        texts, wrong = read_revision(commit, folder.path)
        faults += wrong
        if texts:  # before the first commit of the directory, it was empty
            contents = {text.label: text.content for text in texts}
            folders.append(Folder(f"{name}:{folder.path}", folder.label, contents))
    return OlderCatalog(tuple(folders), f"the catalog of {name}", tuple(faults))


def _directory(path: str, configured: tuple[Folder, ...]) -> OlderCatalog:
    # The directory itself, a checkout of gitgpu, an installed package.
    for candidate in (path, f"{path}/{OWN}", f"{path}/_data/{OWN}"):
        if is_file(f"{candidate}/{_MARK}"):
            return OlderCatalog((_release(Folder(candidate, _OLDER)), *configured), f"gitgpu's catalog in {candidate}")
    if foreign := no_catalog(Folder(path, _OLDER)):
        return OlderCatalog((), path, (foreign,))
    # With a single directory, the older copy may have a different name.
    same = list(configured)
    if len(configured) > 1:
        same = [folder for folder in configured if folder.label == label(path)]
    if configured and not same:
        raise click.UsageError(f"{path} is not one of the directories of `catalog` in .gitgpu.yaml: use the same name")
    older = Folder(path, same[0].label if same else label(path))
    folders = list(configured) or [older]
    for folder in same:
        folders[folders.index(folder)] = older
    return OlderCatalog(tuple(folders), f"the catalog in {path}")


def _release(folder: Folder) -> Folder:
    """The catalog of another release instead of gitgpu's own. Rows that this release cannot read stay as they are."""
    read = CatalogFiles((folder,))
    texts = {file: text for file, text in _texts(folder) if read.row(*file.removesuffix(".yaml").split("/", 1))}
    for kind in _OPEN:
        old_entries = entries(folder, kind)
        absent = [name for name in row_names(gitgpus(), kind) if f"{name}.yaml" not in old_entries]
        # A kind that the other release does not have at all stays as it is.
        texts.update((f"{kind}/{name}.yaml", "") for name in absent if old_entries)
    return with_texts(gitgpus(), texts)._replace(path=folder.path)


def _texts(folder: Folder) -> Iterator[tuple[str, str]]:
    for kind in entries(folder):
        for name in row_names(folder, kind):
            text = row_text(folder, f"{kind}/{name}.yaml")
            if isinstance(text, Text):
                yield f"{kind}/{name}.yaml", text.content
