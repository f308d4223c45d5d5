"""What a build would do to the output directory, and what forbids it: pure comparison of three maps path -> sha256."""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span
from gitgpu.write.lock import NAME, Lock, Scope

_AGAIN = "restore it from Git, or delete the output directory and build again"
_MOVE = "move it out, or build into another directory; after a merge: delete the output directory and rebuild"
UNDECIDED = ""  # in place of a hash: a killed run may or may not have replaced the file


class Tree(NamedTuple):
    """What is below the output directory.

    `leftovers` are temporaries of a killed run; `odd` is neither a plain file nor a folder (a symbolic link, a device).
    """

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    leftovers: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


class Changes(NamedTuple):
    """Sorted paths. `removed` may name files that are gone already; `edited` were changed since the last build."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    edited: tuple[str, ...]


def changes(disk: Mapping[str, str], old: Lock, new: Lock, scope: Scope) -> Changes:
    """Compare the hashes of what is there, what the last build left and what is wanted."""
    holds = scope.holds
    written = sorted(path for path, value in new.files.items() if disk.get(path) != value)
    removed = sorted(path for path in old.files if path not in new.files and holds(path))
    unchanged = sorted(path for path, value in new.files.items() if disk.get(path) == value)
    edited = sorted(p for p in (*written, *removed) if p in disk and old.files.get(p) not in (disk[p], UNDECIDED))
    return Changes(tuple(written), tuple(removed), tuple(unchanged), tuple(edited))


def folders_of(paths: Iterable[str]) -> set[str]:
    """Every folder above these files: "a/b/c" gives "a" and "a/b"."""
    folders: set[str] = set()
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return folders


def refused(root: str, tree: Tree, old: Lock, new: Lock) -> Iterator[Diagnostic]:
    """Everything in the way that is not ours to replace or remove."""
    blocked = (tree.files & folders_of(new.files)) | (tree.folders & {NAME, *new.files})
    if "" in tree.odd:
        yield fault("OUT002", root, "is not a separate directory; nothing was written", "use another output directory")
        return
    for path in sorted({*tree.odd, *blocked}):
        wanted = "a folder" if path in tree.files else "a plain file or folder"
        message = f"{wanted} is expected here; nothing was written"
        yield fault("OUT002", f"{root}/{path}", message, "remove it by hand")
    if NAME in tree.folders or NAME in tree.odd:
        return  # without a lock every file would look foreign
    foreign = tree.files - old.files.keys() - {NAME}
    if NAME not in tree.files and foreign and foreign <= new.files.keys():
        message = "is missing: without it gitgpu does not know which files it wrote"
        yield fault("OUT003", f"{root}/{NAME}", message, _AGAIN)
        return
    for path in sorted(foreign):
        yield not_ours(root, path)


def not_ours(root: str, path: str) -> Diagnostic:
    """That a file in the output directory was made by another."""
    return fault("OUT001", f"{root}/{path}", "this file is not listed in gitgpu.lock; nothing was written", _MOVE)


def fault(code: str, path: str, message: str, remedy: str) -> Diagnostic:
    """A fault of a whole file; bytes of its name that are no text are shown escaped."""
    shown = path.encode(errors="backslashreplace").decode()
    return Diagnostic(code, Severity.ERROR, message, remedy, Span(shown, 0, 0))


def diff(name: str, before: str, after: str) -> str:
    """A unified diff that `patch -p0` takes; an empty text is a file that is not there."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    names = (shown if before else "/dev/null", shown if after else "/dev/null")
    lines = unified_diff(_lines(before), _lines(after), *names)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """The lines as `patch` counts them, with their ends: no other character than the newline ends one."""
    return re.findall("[^\n]*\n|[^\n]+", text)
