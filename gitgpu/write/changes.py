"""What a build would change in the output directory, and what prevents it. Pure comparison of maps path -> sha256."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.faults import fault
from gitgpu.write.tree import Tree

_MOVE = "move it out, or build into another directory"


class Changes(NamedTuple):
    """Sorted paths. `removed` are existing files; `edited` were changed by hand since the last build."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    edited: tuple[str, ...]


def changes(disk: Mapping[str, str], wanted: Mapping[str, str], edited: tuple[str, ...]) -> Changes:
    """Compare the sha256 of generated files on disk with those of the wanted files, by path."""
    written = sorted(path for path, value in wanted.items() if disk.get(path) != value)
    unchanged = sorted(path for path, value in wanted.items() if disk.get(path) == value)
    return Changes(tuple(written), tuple(sorted(disk.keys() - wanted.keys())), tuple(unchanged), edited)


def folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder above these files: "a/b/c" gives "a" and "a/b"."""
    folders: set[str] = set()
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return folders


def blocking_faults(root: str, tree: Tree, wanted: Collection[str]) -> Iterator[Diagnostic]:
    """The faults for what prevents files or folders of a build, such as a folder with the name of a file."""
    if "" in tree.odd:
        yield fault("OUT002", root, "is not a separate directory; nothing was written", "use another output directory")
        return
    conflicting = (tree.files & folders_of(wanted)) | (tree.folders & set(wanted))
    for path in sorted({*tree.odd, *conflicting}):
        expected = "a folder" if path in tree.files else "a regular file or folder"
        message = f"{expected} is expected here; nothing was written"
        yield fault("OUT002", f"{root}/{path}", message, "remove it manually")


def not_ours(root: str, path: str) -> Diagnostic:
    """The fault that gitgpu did not generate a file in the output directory."""
    return fault("OUT001", f"{root}/{path}", "gitgpu did not generate this file; nothing was written", _MOVE)
