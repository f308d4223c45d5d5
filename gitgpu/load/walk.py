"""The files below a directory that may be read."""

import os
from collections.abc import Collection, Iterable, Iterator

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.source import Span

SUFFIXES = (".yaml", ".yml", ".json")  # the same as for `kubectl apply -f DIRECTORY`


def walk(directory: str, faults: list[Diagnostic], skipped: Collection[str] = ()) -> list[str]:
    """The files below a directory as relative POSIX paths, sorted, without hidden ones, links to directories and pipes.

    Subdirectories whose real paths are `skipped` are not read. A link to a file outside the directory, and outside the
    Git work tree around it, is a fault.
    """
    root = os.path.realpath(directory)
    files: list[str] = []
    links: list[str] = []
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(directory, below)))
        except OSError as error:
            faults.append(unread_fault(os.path.join(directory, below), error))
            continue
        for entry in entries:
            name = below + entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_file(follow_symlinks=False):  # most entries
                files.append(name)
            elif entry.is_dir(follow_symlinks=False):
                if not skipped or os.path.join(root, name) not in skipped:
                    waiting.append(f"{name}/")
            elif _leads_to_file(entry):
                links.append(name)
    return sorted({*files, *links}.difference(_leading_out(directory, sorted(links), faults)))


def unread_fault(path: str, error: OSError | ValueError) -> Diagnostic:
    """Why a file or directory could not be opened."""
    remedy = "check the path and its permissions"
    if path == "-":
        remedy = "pass a file: only validate, lint and import read `-`"
    message = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return fault("INP001", message, remedy, Span(path))


def _leading_out(directory: str, links: Iterable[str], faults: list[Diagnostic]) -> Iterator[str]:
    """The links that must not be followed."""
    allowed = allowed_roots([directory]) if links else ()
    for name in links:
        path = os.path.join(directory, name)
        if why := outside_reason(path, allowed):
            remedy = "pass the file itself, or replace the link with a copy"
            if name.endswith(SUFFIXES):  # nothing else would have been read
                faults.append(fault("INP001", f"is not read: it {why}", remedy, Span(path)))
            yield name


def _leads_to_file(entry: os.DirEntry[str]) -> bool:
    """Whether a link leads to a file, or nowhere. Reading a broken link reports it. A pipe does neither."""
    return os.path.isfile(entry.path) or not os.path.exists(entry.path)
