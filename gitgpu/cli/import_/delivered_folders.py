"""The folders that Flux and Argo CD apply, in addition to those passed: `clusters/prod` alone has no pools."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from posixpath import dirname, join, normpath
from typing import Any

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.adopt.delivering_clusters import only_delivers
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.folders import upwards
from gitgpu.inventory.observed import Inventory, Observed
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.load.read import STANDARD_INPUT, exists, is_file
from gitgpu.model.names.kinds import APPLICATION, FLUX_KUSTOMIZATION, group_kind
from gitgpu.spelling import join_names


def unread_folders(inventory: Inventory, names: Iterable[str], passed: Iterable[str]) -> list[str]:
    """The folders that objects of the input apply and that are on disk, but were not read. `names` are the files read.

    Like the paths in kustomizations, they are followed inside the passed directories and their Git work trees.
    """
    allowed = allowed_roots(dirname(path) if is_file(path) else path for path in passed if path != STANDARD_INPUT)
    read = {folder for name in names for folder in upwards(dirname(name))}
    found: dict[str, None] = {}
    for observed, path in _paths(inventory):
        folder = _folder(observed, path, read, allowed)
        if folder and folder not in read:
            found[folder] = None
    return list(found)


def nothing_but_delivery(inventory: Inventory, names: Collection[str]) -> Iterator[Diagnostic]:
    """A fault if the input has only objects that apply files, and none of these files. `names` are the files read."""
    if not inventory.clusters or not all(map(only_delivers, inventory.clusters)):
        return
    if any("chart" in source for observed in inventory.objects() for source in _sources(observed.body)):
        return  # Applications of charts say what is installed
    first = next(inventory.objects())
    paths = list(dict.fromkeys(path for _, path in _paths(inventory) if not any(f"{path}/" in name for name in names)))
    what = f"the directories that they apply ({join_names(paths)})" if paths else "the files that they apply"
    remedy = f"pass {what}, or the root of the repository"
    message = "these objects apply other files, and the input contains none of them"
    yield Diagnostic("IMP020", Severity.ERROR, message, remedy, first.places.span())


def _paths(inventory: Inventory) -> Iterator[tuple[Observed, str]]:
    """The paths that Flux Kustomizations and Applications apply, relative to the root of a repository."""
    for observed in inventory.objects():
        for source in _sources(observed.body):
            path = normpath(text_at(source, "path") or ".")
            if path != "." and "{" not in path and not path.startswith(("/", "..")):
                yield observed, path


def _sources(body: Any) -> Sequence[Any]:
    """The mappings in an object that can have a path."""
    kind = group_kind(body)
    if kind == FLUX_KUSTOMIZATION:
        return [mapping_at(body, "spec")]
    return [mapping_at(body, "spec", "source"), *rows(body, "spec", "sources")] if kind == APPLICATION else []


def _folder(observed: Observed, path: str, read: Collection[str], allowed: Collection[str]) -> str:
    """The folder of a path: the root of the repository is above the object. "" if there is no such folder."""
    for around in upwards(dirname(observed.places.span().file)):
        folder = normpath(join(around, path))
        if folder in read or (exists(folder) and not is_file(folder) and not outside_reason(folder, allowed)):
            return folder
    return ""
